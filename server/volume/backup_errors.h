// Errors of backup and restore, and of a trail with a directory of its own.
#ifndef QUIRE_SERVER_VOLUME_BACKUP_ERRORS_H_
#define QUIRE_SERVER_VOLUME_BACKUP_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "server/base/ids.h"

namespace quire::volume_error {

absl::Status NoBackupDirectory(std::string_view volume);                           // 22
absl::Status BackupOutside(std::string_view directory, std::string_view allowed);  // 13
absl::Status BackupExists(std::string_view directory);                             // 10
absl::Status BackupUnderWay(std::string_view volume);                              // 12
// 43 for want of space, else 66; `error_number` is errno.
absl::Status BackupFailed(std::string_view action, std::string_view path, int error_number);
absl::Status NotABackup(std::string_view directory, std::string_view reason);        // 59
absl::Status BackupDamaged(std::string_view file, std::string_view reason);          // 59
absl::Status RestoreTargetInUse(std::string_view directory);                         // 10
absl::Status RestoreUnfinished(std::string_view directory);                          // 10
absl::Status StopBeforeBackup(Lsn wanted, Lsn control_point);                        // 22
absl::Status StopTimeBeforeBackup(std::string_view wanted, std::string_view taken);  // 22
absl::Status StopBeyondTrail(Lsn wanted, Lsn last);                                  // 22
absl::Status NoSuchArchive(std::string_view directory);                              // 11
absl::Status NoTrailDirectory(std::string_view directory, Lsn lsn);                  // 59

}  // namespace quire::volume_error

#endif  // QUIRE_SERVER_VOLUME_BACKUP_ERRORS_H_
