// One load from CREATE to read-back, in the order that keeps its counters clean (R-M1, R-M2).
#ifndef QUIRE_CLIENT_BENCH_RUNNER_H_
#define QUIRE_CLIENT_BENCH_RUNNER_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/load_case.h"
#include "client/bench/progress_bar.h"
#include "client/bench/record_source.h"
#include "client/bench/run_result.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

// Where a run happens.
struct RunPlace {
  FileSystem* file_system = nullptr;
  std::string transport;                       // as RunResult::transport
  std::vector<pid_t> server_pids;              // whose memory is sampled; empty: cannot be seen
  std::optional<uint64_t> memory_limit_bytes;  // of those servers together (R-D5)
  std::string directory;                       // of the volumes' data; empty: cannot be seen
  bool purge_after = false;                    // the volumes outlive the run
};

// Creates the file, loads it, waits for the control point, closes, takes the counters, reads all
// back through another open and compares. `expected_records` (0: not known) scales the progress
// bar. A file of that name that exists already is error 10 and is not touched; one made here is
// purged again when the run fails or `purge_after` says so. Errors of the input and of the file
// system end the run; a difference found by the read-back is a result.
absl::StatusOr<RunResult> RunLoad(const LoadCase& load_case, const InputOptions& input,
                                  const RunPlace& place, uint64_t expected_records,
                                  ProgressBar* progress);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_RUNNER_H_
