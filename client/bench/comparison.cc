#include "client/bench/comparison.h"

#include <algorithm>

namespace quire {
namespace bench {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  if (values.size() % 2 == 1) return values[middle];
  return (values[middle - 1] + values[middle]) / 2;
}

std::optional<CaseFigures> FiguresOf(const std::vector<RunResult>& runs, Config config,
                                     bool pipelined) {
  std::vector<double> elapsed;
  std::vector<double> placed;
  std::vector<double> rate;
  std::vector<double> bytes;
  std::vector<double> syncs;
  std::vector<double> sync_s;
  for (const RunResult& run : runs) {
    if (run.load_case.config != config || run.load_case.one_at_a_time() == pipelined) continue;
    elapsed.push_back(run.elapsed_s);
    placed.push_back(run.placed_s);
    bytes.push_back(static_cast<double>(run.disc.trail_bytes));
    rate.push_back(run.records_per_s());
    syncs.push_back(static_cast<double>(run.disc.trail_syncs));
    sync_s.push_back(run.disc.trail_sync_s);
  }
  if (elapsed.empty()) return std::nullopt;
  return CaseFigures{.elapsed_s = Median(elapsed),
                     .placed_s = Median(placed),
                     .records_per_s = Median(rate),
                     .trail_bytes = Median(bytes),
                     .trail_syncs = Median(syncs),
                     .trail_sync_s = Median(sync_s)};
}

std::optional<BufferedGain> BufferedGainOf(const std::vector<RunResult>& runs) {
  const std::optional<CaseFigures> a = FiguresOf(runs, Config::kA, false);
  const std::optional<CaseFigures> b = FiguresOf(runs, Config::kB, false);
  if (!a.has_value() || !b.has_value() || a->trail_syncs <= 0) return std::nullopt;
  return BufferedGain{.saved_s = a->elapsed_s - b->elapsed_s,
                      .syncs_saved = a->trail_syncs - b->trail_syncs,
                      .mean_sync_s = a->trail_sync_s / a->trail_syncs};
}

std::optional<AuditRate> AuditRateOf(const std::vector<RunResult>& runs) {
  const std::optional<CaseFigures> b = FiguresOf(runs, Config::kB, true);
  const std::optional<CaseFigures> d = FiguresOf(runs, Config::kD, true);
  if (!b.has_value() || !d.has_value() || d->elapsed_s <= 0 || d->placed_s <= 0) {
    return std::nullopt;
  }
  return AuditRate{.replied = b->elapsed_s / d->elapsed_s, .placed = b->placed_s / d->placed_s};
}

}  // namespace bench
}  // namespace quire
