// What a backup consists of: the text file "manifest" in its directory.
//
//   quire-backup 1
//   volume $DATA01
//   volume-id 0123456789abcdef
//   control-point-lsn 1234        the copied store is complete to here
//   control-point-time 17645…     wall clock, us since 1970; not before the control point
//   last-lsn 5678                 of the copied trail
//   last-time 17645…              when the trail's end was read
//   file store/data.mdb 81920 0123456789abcdef      bytes and XXH3-64 of each file
//   file trail/0000000000000001.trail 4096 0123456789abcdef
//   end 0123456789abcdef          XXH3-64 of all lines before
#ifndef QUIRE_SERVER_VOLUME_BACKUP_MANIFEST_H_
#define QUIRE_SERVER_VOLUME_BACKUP_MANIFEST_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/base/durable_file.h"
#include "server/base/ids.h"

namespace quire {

struct BackupManifest {
  struct File {
    std::string name;  // in the backup's directory
    FileSum sum;
    bool operator==(const File&) const = default;
  };

  std::string volume;
  uint64_t volume_id = 0;
  Lsn control_point_lsn = 0;
  int64_t control_point_time_us = 0;
  Lsn last_lsn = 0;
  int64_t last_time_us = 0;
  std::vector<File> files;

  uint64_t bytes() const;  // of all files
  bool operator==(const BackupManifest&) const = default;
};

inline constexpr char kManifestName[] = "manifest";

std::string EncodeManifest(const BackupManifest& manifest);
absl::StatusOr<BackupManifest> ParseManifest(std::string_view text, std::string_view directory);

// Of a backup in `directory`, with every file compared with its sum: 59 names the first that
// differs.
absl::StatusOr<BackupManifest> ReadBackup(const std::string& directory);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_BACKUP_MANIFEST_H_
