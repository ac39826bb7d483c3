// What the runs must show, and whether they do.
#ifndef QUIRE_CLIENT_BENCH_CHECKS_H_
#define QUIRE_CLIENT_BENCH_CHECKS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "client/bench/run_result.h"

namespace quire {
namespace bench {

enum class CheckKind : uint8_t {
  kCounter,  // must be met: quire-bench exits non-zero otherwise
  kTime,     // depends on the machine: exits non-zero only with --strict
};

struct Check {
  CheckKind kind = CheckKind::kCounter;
  std::string run;       // "A pipelined", or the runs compared: "A : B"
  std::string name;      // "Block-Splits"
  std::string measured;  // with unit
  std::string wanted;    // "67,564 exactly (article)"
  bool met = false;
};

// Requests a partition's open takes besides its records: open, label fetch, close (R-C3).
inline constexpr int64_t kRequestsPerPartition = 3;
// R-D5: private memory of a server beyond --cache and --dirty-limit.
inline constexpr uint64_t kMemoryAllowanceBytes = uint64_t{128} << 20;

// Checks of every run alone, in the order of the runs, then those that compare runs (medians where
// a run was repeated). The article's figures bind runs of its 135,065 records; other sizes are held
// against the counter model; input of another shape only against the identities.
std::vector<Check> CheckRuns(const std::vector<RunResult>& runs);

bool AllMet(const std::vector<Check>& checks, CheckKind kind);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_CHECKS_H_
