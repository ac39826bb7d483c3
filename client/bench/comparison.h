// Figures that come from comparing runs.
#ifndef QUIRE_CLIENT_BENCH_COMPARISON_H_
#define QUIRE_CLIENT_BENCH_COMPARISON_H_

#include <optional>
#include <string>
#include <vector>

#include "client/bench/run_result.h"

namespace quire {
namespace bench {

// Middle value; the mean of the two middle ones. `values` must not be empty.
double Median(std::vector<double> values);

// Medians over the repeats of one case.
struct CaseFigures {
  double elapsed_s = 0;
  double placed_s = 0;
  double records_per_s = 0;
  double trail_bytes = 0;
  double trail_syncs = 0;
  double trail_sync_s = 0;
};
// nullopt when there is no such run. `pipelined`: more than one operation under way.
std::optional<CaseFigures> FiguresOf(const std::vector<RunResult>& runs, Config config,
                                     bool pipelined);

// Why BUFFERED is faster: replies of A wait for the trail's syncs, replies of B do not.
struct BufferedGain {
  double saved_s = 0;      // elapsed A - elapsed B
  double syncs_saved = 0;  // trail syncs of A - those of B
  double mean_sync_s = 0;  // of A
  double explained_s() const { return syncs_saved * mean_sync_s; }
  double ratio() const { return explained_s() > 0 ? saved_s / explained_s() : 0; }
};
// From the one-at-a-time runs; nullopt when A or B is missing or A did not sync.
std::optional<BufferedGain> BufferedGainOf(const std::vector<RunResult>& runs);

// Rates of AUDIT over those of BUFFERED, pipelined, one partition, by both figures of R-M1.
struct AuditRate {
  double replied = 0;  // to the last reply
  double placed = 0;   // to the completed control point
};
// nullopt when B or D is missing among the pipelined runs.
std::optional<AuditRate> AuditRateOf(const std::vector<RunResult>& runs);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_COMPARISON_H_
