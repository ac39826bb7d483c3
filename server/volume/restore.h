// A new volume directory made of a backup, of what an archive has beyond it, up to a chosen LSN or
// time: quire-volume --restore.
//
// The restored volume is a volume of its own: it has a new id, so that neither its trail nor its
// archive can be mixed up with those of the volume that was backed up. Its epoch is above every
// epoch that the backup and the archives know.
#ifndef QUIRE_SERVER_VOLUME_RESTORE_H_
#define QUIRE_SERVER_VOLUME_RESTORE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "server/base/ids.h"
#include "server/trail/trail_replay.h"
#include "server/volume/volume.h"

namespace quire {

struct RestoreRequest {
  std::string backup;  // directory that Backup made
  // Directory, sizes and limits of the new volume. The directory must be missing or empty; an empty
  // name means that of the backup's volume. archive_directory and backup_directory are not used.
  VolumeOptions volume;
  // Where to look for newer segments: archives, or the trail directory of the volume itself, which
  // must not be running. Later ones fill in what earlier ones lack.
  std::vector<std::string> archives;
  ReplayLimit limit;  // whole batches within it
};

struct RestoreReport {
  std::string volume;
  Lsn last_lsn = 0;      // the volume is as it was after this LSN
  int64_t time_us = 0;   // when that was, wall clock
  uint64_t batches = 0;  // replayed beyond the backup's control point
  bool stopped = false;  // the limit left something out
};

// 10 a directory with something in it; 22 a limit before the backup's control point, or an LSN
// beyond everything found; 59 a backup that does not check, LSNs missing between it and an archive;
// 43, 66. Where it fails it leaves nothing under the name of the new directory.
absl::StatusOr<RestoreReport> RestoreVolume(const RestoreRequest& request);

// "2026-11-30 19:45:00.123456", local time.
std::string TimeText(int64_t time_us);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_RESTORE_H_
