// What one step of `quire-bench scale` measured, as it travels from the child process that did the
// work to the program that compares the steps.
#ifndef QUIRE_CLIENT_BENCH_SCALE_SCALE_FIGURES_H_
#define QUIRE_CLIENT_BENCH_SCALE_SCALE_FIGURES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// Of a step's first child: a file is loaded into an empty volume, read, scanned; then it is killed.
struct LoadFigures {
  uint64_t records = 0;
  uint64_t record_bytes = 0;
  double answered_s = 0;     // to the last reply
  double placed_s = 0;       // to the control point behind it (R-M1)
  double cpu_s = 0;          // of the process, to the control point
  double written_bytes = 0;  // given to the block layer until then, trail included
  double disc_bytes = 0;     // the volume's directory after it
  double memory_bytes = 0;   // highest RssAnon + RssShmem of the load (R-D5)
  double memory_limit_bytes = 0;
  double refresh_s = 0;  // the control point asked for behind the load
  uint64_t control_points = 0;
  double control_point_ms = 0;  // mean, from cut to commit
  double stall_read_ms = 0;     // longest of the requests beside the load: reads,
  double stall_write_ms = 0;    // writes of a BUFFERED file,
  double stall_audit_ms = 0;    // writes of an AUDIT file,
  double stall_load_ms = 0;     // and the longest time the load itself got no further
  double p99_read_ms = 0;
  double p99_write_ms = 0;
  double p99_audit_ms = 0;
  uint64_t probes = 0;            // requests beside the load
  double cached_read_us = 0;      // median of rounds
  double scan_us = 0;             // per record
  uint64_t unplaced_records = 0;  // AUDIT records in the trail only when it was killed

  double longest_stall_ms() const;
};

// Of the second: started on what the killed one left, page cache dropped.
struct ReopenFigures {
  double open_s = 0;      // until the volume serves
  double recovery_s = 0;  // of it: replay
  uint64_t replayed_records = 0;
  std::vector<double> uncached_read_us;  // mean of each round
  std::vector<double> pread_us;          // one random block of the store's file, O_DIRECT
  double scan_us = 0;                    // per record, nothing cached
  uint64_t index_levels = 0;
};

struct StepFigures {
  LoadFigures load;
  ReopenFigures reopen;
  double disc_write_bytes_per_s = 0;  // sustained, measured beside the step
};

std::string EncodeLoad(const LoadFigures& figures);  // one JSON object
std::string EncodeReopen(const ReopenFigures& figures);
// 22 for text that is not what the other function writes.
absl::StatusOr<LoadFigures> DecodeLoad(std::string_view text);
absl::StatusOr<ReopenFigures> DecodeReopen(std::string_view text);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_SCALE_FIGURES_H_
