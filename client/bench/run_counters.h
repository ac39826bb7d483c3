// Picks a run's counters out of the snapshots taken before and after it.
#ifndef QUIRE_CLIENT_BENCH_RUN_COUNTERS_H_
#define QUIRE_CLIENT_BENCH_RUN_COUNTERS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bench/run_result.h"
#include "quire/filesystem.h"
#include "quire/measure.h"

namespace quire {
namespace bench {

// Snapshots of the named volumes, in one.
absl::StatusOr<MeasureSnapshot> TakeSnapshot(FileSystem* file_system,
                                             const std::vector<std::string>& volumes);

// Fills open, disc and server of `result` from the window. Server processes that several volumes
// share are counted once. 22 when a volume restarted in between; 16 when no volume knows the open.
absl::Status FillCounters(const MeasureSnapshot& start, const MeasureSnapshot& end,
                          uint64_t open_id, RunResult* result);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_RUN_COUNTERS_H_
