#include "client/bench/csvload_output.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "absl/strings/str_format.h"
#include "client/bench/explanation.h"
#include "client/bench/html_report.h"
#include "client/bench/json_report.h"
#include "client/bench/number_text.h"
#include "client/bench/output_file.h"
#include "client/bench/report_tables.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kTextColumns = 100;

}  // namespace

std::string RunLine(const RunResult& run) {
  return absl::StrFormat(
      "%-12s %9.2f s to the last reply, %.2f s to the control point, %s records/s",
      TitleOf(run.load_case), run.elapsed_s, run.placed_s,
      CountText(std::llround(run.records_per_s())));
}

std::string WrapText(const std::string& paragraph, size_t columns) {
  std::istringstream words(paragraph);
  std::string text;
  std::string line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > columns) {
      StrAppend(&text, line, "\n");
      line.clear();
    }
    StrAppend(&line, line.empty() ? "" : " ", word);
  }
  StrAppend(&text, line, "\n");
  return text;
}

std::string RenderCsvload(const std::vector<RunResult>& runs, const std::vector<Check>& checks) {
  std::string text;
  for (const Table& table : AllTables(runs, checks)) StrAppend(&text, "\n", RenderText(table));
  for (const std::string& paragraph : Explain(runs)) {
    StrAppend(&text, "\n", WrapText(paragraph, kTextColumns));
  }
  const auto missed =
      std::count_if(checks.begin(), checks.end(), [](const Check& check) { return !check.met; });
  StrAppend(&text, "\n", checks.size() - static_cast<size_t>(missed), " checks met, ", missed,
            " missed\n");
  return text;
}

absl::Status SaveCsvload(const std::vector<RunResult>& runs, const std::vector<Check>& checks,
                         const std::string& json_path, const std::string& html_path) {
  if (absl::Status saved = SaveText(json_path, RenderJson(runs)); !saved.ok()) return saved;
  return SaveText(html_path, RenderHtml(runs, checks));
}

}  // namespace bench
}  // namespace quire
