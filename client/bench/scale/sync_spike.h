// How long a trail's sync takes while LMDB commits beside it on the same disc: what the longest
// stall of a durable request cannot be below.
#ifndef QUIRE_CLIENT_BENCH_SCALE_SYNC_SPIKE_H_
#define QUIRE_CLIENT_BENCH_SCALE_SYNC_SPIKE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/bare_append.h"
#include "client/bench/page/result_page.h"

namespace quire {
namespace bench {

struct SpikeOptions {
  std::string directory;                     // an empty folder
  std::vector<uint64_t> commit_bytes = {0};  // of one LMDB transaction; 0: quiet
  std::vector<AppendWay> ways = {AppendWay::kDirect, AppendWay::kFdatasync};
  uint32_t rounds = 5;
  uint32_t quiet_appends = 2000;  // of a round without commits
  uint32_t commits = 4;           // of a round with them, back to back
};

// One way of appending beside commits of one size. Times in microseconds, an entry per round.
struct SpikeFigures {
  AppendWay way = AppendWay::kDirect;
  uint64_t commit_bytes = 0;
  std::vector<double> p50_us;
  std::vector<double> p99_us;
  std::vector<double> longest_us;
  std::vector<double> commit_ms;  // mean of the round; none when quiet
};

// Appends of 4,096 bytes, one after the other, as long as the commits last. All kinds in each
// round. 11, 22, 43, 48; 66 for LMDB's errors; 40 for Ctrl-C.
absl::StatusOr<std::vector<SpikeFigures>> RunSyncSpike(const SpikeOptions& options);

ResultPage SpikePage(const std::vector<SpikeFigures>& figures);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_SYNC_SPIKE_H_
