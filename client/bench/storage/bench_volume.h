// A volume in this process that a benchmark loads, closes, drops from the page cache and opens
// again with other options.
#ifndef QUIRE_CLIENT_BENCH_STORAGE_BENCH_VOLUME_H_
#define QUIRE_CLIENT_BENCH_STORAGE_BENCH_VOLUME_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bench/made_records.h"
#include "client/transport/embedded.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

inline constexpr char kBenchVolume[] = "$DATA01";

// One volume below one directory. Not thread safe.
class BenchVolume {
 public:
  // Nothing is opened yet. `options`: of every Open; name and directory are filled in.
  BenchVolume(std::string directory, VolumeOptions options)
      : directory_(std::move(directory)), options_(std::move(options)) {}

  // Closes what is open, then opens. Errors: OpenEmbeddedVolumes.
  absl::Status Open();
  absl::Status OpenWith(ReadAheadMode mode) {
    options_.read_ahead = mode;
    return Open();
  }
  // Takes the last control point; files opened here must be gone.
  void Close() { file_system_.reset(); }
  FileSystem& file_system() { return *file_system_; }

  // LoadMadeFile, then a control point.
  absl::Status Load(const FileName& name, const MadeRecords& records, RecordOrder order,
                    uint32_t record_bytes = MadeRecords::kRecordBytes);

  // Of a closed volume: its store's file leaves the page cache (posix_fadvise DONTNEED after a
  // sync; no privilege needed). The share of its pages that stayed, 0 to 1. 66 when it cannot be
  // opened.
  absl::StatusOr<double> DropPages() const;

  std::string StoreFile() const { return directory_ + "/DATA01/store/data.mdb"; }
  // A counter of DISC now.
  absl::StatusOr<int64_t> DiscCounter(std::string_view counter);

 private:
  const std::string directory_;
  VolumeOptions options_;
  std::unique_ptr<FileSystem> file_system_;
};

// The steady clock.
int64_t SteadyNanos();

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_STORAGE_BENCH_VOLUME_H_
