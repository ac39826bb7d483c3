#include "client/bench/compare.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_format.h"
#include "client/bench/comparison.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

std::vector<double> ValuesOf(const std::vector<SavedRun>& runs, const std::string& title,
                             double SavedRun::*member) {
  std::vector<double> values;
  for (const SavedRun& run : runs) {
    if (run.title == title) values.push_back(run.*member);
  }
  return values;
}

std::string Ratio(const std::vector<double>& first, const std::vector<double>& second) {
  const double base = Median(first);
  return base > 0 ? absl::StrFormat("%.3f", Median(second) / base) : "";
}

}  // namespace

Table CompareMeasurements(const std::vector<SavedRun>& first, const std::vector<SavedRun>& second) {
  Table table{
      .title = "Medians, second : first",
      .columns = {"run", "repeats", "elapsed", "placed", "records/s", "client CPU", "server CPU"},
      .rows = {}};
  std::vector<std::string> seen;
  for (const SavedRun& run : first) {
    if (std::find(seen.begin(), seen.end(), run.title) != seen.end()) continue;
    seen.push_back(run.title);
    const size_t repeats = ValuesOf(second, run.title, &SavedRun::elapsed_s).size();
    if (repeats == 0) continue;
    const auto ratio = [&](double SavedRun::*member) {
      return Ratio(ValuesOf(first, run.title, member), ValuesOf(second, run.title, member));
    };
    table.rows.push_back(
        {run.title, StrCat(ValuesOf(first, run.title, &SavedRun::elapsed_s).size(), " : ", repeats),
         ratio(&SavedRun::elapsed_s), ratio(&SavedRun::placed_s), ratio(&SavedRun::records_per_s),
         ratio(&SavedRun::client_cpu_s), ratio(&SavedRun::server_cpu_s)});
  }
  return table;
}

}  // namespace bench
}  // namespace quire
