// A volume in this process with one file to be read in different ways of look-aside.
#ifndef QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_VOLUME_H_
#define QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_VOLUME_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "quire/filesystem.h"
#include "server/volume/volume.h"

namespace quire {
namespace bench {

// The file and the cache it is read through.
struct LookasideFile {
  uint32_t block_bytes = 4096;
  uint32_t record_bytes = 100;
  uint32_t key_bytes = 12;
  uint64_t records = 0;
  uint64_t cache_bytes = 0;
};

// How it is read.
struct LookasideWay {
  std::string name;
  Lookaside lookaside = Lookaside::kNoFreeze;
  KeepData data_keeping = KeepData::kMeasured;
  std::function<void(absl::Span<const char>)> before_cached_use = nullptr;
};

// The key of a record: nothing but the last digits differs, so that index compaction saves little.
std::string LookasideKey(const LookasideFile& file, uint64_t rank);

class LookasideVolume {
 public:
  // Makes the file in a new volume below `directory` and closes it.
  static absl::Status Load(const LookasideFile& file, const std::string& directory);
  // Opens such a volume. The caller keeps `file` alive.
  static absl::StatusOr<LookasideVolume> Open(const LookasideFile& file, const LookasideWay& way,
                                              const std::string& directory);

  // Reads the record and looks whether it is the one.
  absl::Status Read(uint64_t rank);
  // A counter of DISC.
  absl::StatusOr<int64_t> Disc(std::string_view counter);

 private:
  const LookasideFile* description_ = nullptr;
  std::unique_ptr<FileSystem> file_system_;
  std::unique_ptr<File> file_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_VOLUME_H_
