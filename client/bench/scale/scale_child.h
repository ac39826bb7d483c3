// The two child processes of a step of `quire-bench scale`. Each has its volume in its own process,
// so that memory, processor time and written bytes are the step's alone.
#ifndef QUIRE_CLIENT_BENCH_SCALE_SCALE_CHILD_H_
#define QUIRE_CLIENT_BENCH_SCALE_SCALE_CHILD_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "client/bench/scale/scale_figures.h"

namespace quire {
namespace bench {

struct ChildOptions {
  std::string directory;  // of the volumes
  uint64_t records = 0;
  uint64_t cache_bytes = 0;
  uint64_t dirty_limit_bytes = 0;
};

// Makes the volume, loads it BUFFERED in 100 interleaved runs while another thread asks it for
// something every 2 ms, takes a control point, reads, scans, and writes AUDIT records that are in
// the trail alone when it returns. The volume stays open and as it is until `hold` returns: that is
// when the process is to be killed.
absl::Status RunLoadChild(const ChildOptions& options,
                          const std::function<void(const LoadFigures&)>& hold);

// Opens what the killed child left, checks that the AUDIT records are there, and reads what is in
// no cache.
absl::StatusOr<ReopenFigures> RunReopenChild(const ChildOptions& options);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_SCALE_CHILD_H_
