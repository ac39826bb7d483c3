#include "client/bench/latency_figures.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_format.h"

namespace quire {
namespace bench {

int64_t Percentile(std::vector<int64_t>* values, double share) {
  std::sort(values->begin(), values->end());
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(values->size())));
  return (*values)[std::clamp<size_t>(rank, 1, values->size()) - 1];
}

LatencyFigures SummarizeRounds(std::string what, std::vector<LatencyRound> rounds) {
  LatencyFigures figures;
  figures.what = std::move(what);
  std::vector<double> rates;
  std::vector<int64_t> all;
  for (const LatencyRound& round : rounds) {
    const double seconds = static_cast<double>(std::max<int64_t>(round.elapsed_ns, 1)) / 1e9;
    rates.push_back(static_cast<double>(round.operations) / seconds);
    all.insert(all.end(), round.latencies_ns.begin(), round.latencies_ns.end());
  }
  std::sort(rates.begin(), rates.end());
  figures.per_second_low = rates.front();
  figures.per_second_high = rates.back();
  const size_t middle = rates.size() / 2;
  figures.per_second =
      rates.size() % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2;
  if (all.empty()) return figures;
  figures.p50_us = static_cast<double>(Percentile(&all, 0.50)) / 1000;
  figures.p99_us = static_cast<double>(Percentile(&all, 0.99)) / 1000;
  return figures;
}

std::string LatencyTable(const std::vector<LatencyFigures>& figures) {
  std::string table = absl::StrFormat("%-34s %12s %25s %10s %10s\n", "operation", "per second",
                                      "slowest - fastest round", "p50 us", "p99 us");
  for (const LatencyFigures& one : figures) {
    absl::StrAppendFormat(&table, "%-34s %12.0f %12.0f - %10.0f %10.2f %10.2f\n", one.what,
                          one.per_second, one.per_second_low, one.per_second_high, one.p50_us,
                          one.p99_us);
  }
  return table;
}

}  // namespace bench
}  // namespace quire
