// The embedded volume of a step of `quire-bench scale`, and its files.
#ifndef QUIRE_CLIENT_BENCH_SCALE_SCALE_VOLUME_H_
#define QUIRE_CLIENT_BENCH_SCALE_SCALE_VOLUME_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bench/made_records.h"
#include "client/bench/scale/scale_child.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

inline constexpr char kScaleVolume[] = "$DATA01";
inline constexpr char kBulkFile[] = "$DATA01.SCALE.BULK";      // BUFFERED, the records of the step
inline constexpr char kBesideFile[] = "$DATA01.SCALE.BESIDE";  // BUFFERED, of the stall probe
inline constexpr char kAuditFile[] = "$DATA01.SCALE.AUDIT";    // AUDIT, of the stall probe
inline constexpr char kTrailFile[] = "$DATA01.SCALE.TRAIL";    // AUDIT, for recovery to redo

struct OpenedVolume {
  std::unique_ptr<FileSystem> file_system;
  double open_s = 0;      // until it serves
  double recovery_s = 0;  // of that
  uint64_t redone = 0;    // redo records executed again
};

// Opens, or makes, the volume below the directory.
absl::StatusOr<OpenedVolume> OpenScaleVolume(const ChildOptions& options);
// Extents for as many of the bench's records as a step may have.
absl::Status CreateScaleFile(FileSystem* file_system, const char* name, bool audit,
                             uint64_t records);
// Path of the store's data file.
std::string StoreFileOf(const ChildOptions& options);

// Microseconds of one read by key, one at a time: the mean of all. rank_at(i) names the record of
// read i; each is compared with what was written.
absl::StatusOr<double> ReadMicros(File* file, const MadeRecords& records, uint64_t reads,
                                  absl::FunctionRef<uint64_t(uint64_t)> rank_at);
// Microseconds per record of a scan from the first record; `most` records at most. Every record is
// compared. `seen`: how many came.
absl::StatusOr<double> ScanMicros(File* file, const MadeRecords& records, uint64_t most,
                                  uint64_t* seen);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_SCALE_VOLUME_H_
