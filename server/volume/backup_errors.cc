#include "server/volume/backup_errors.h"

#include <cerrno>
#include <system_error>

#include "quire/error.h"
#include "quire/text.h"

namespace quire::volume_error {

absl::Status NoBackupDirectory(std::string_view volume) {
  return MakeError(
      ErrorNumber::kBadParameter,
      StrCat("volume ", volume, " was started without --backup-directory, so it takes no backups"));
}

absl::Status BackupOutside(std::string_view directory, std::string_view allowed) {
  return MakeError(ErrorNumber::kIllegalName,
                   StrCat("backup: \"", directory, "\" is not a name below ", allowed,
                          ", the volume's --backup-directory"));
}

absl::Status BackupExists(std::string_view directory) {
  return MakeError(ErrorNumber::kAlreadyExists,
                   StrCat("backup: ", directory, " exists already; choose another name"));
}

absl::Status BackupUnderWay(std::string_view volume) {
  return MakeError(ErrorNumber::kFileInUse,
                   StrCat("backup: another one of ", volume, " is under way; wait for its end"),
                   Retry::kSafe);
}

absl::Status BackupFailed(std::string_view action, std::string_view path, int error_number) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT;
  return MakeError(
      full ? ErrorNumber::kNoDiscSpace : ErrorNumber::kVolumeDown,
      StrCat("cannot ", action, " ", path, ": ", std::generic_category().message(error_number)));
}

absl::Status NotABackup(std::string_view directory, std::string_view reason) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("restore: ", directory, " is not a whole backup: ", reason));
}

absl::Status BackupDamaged(std::string_view file, std::string_view reason) {
  return MakeError(
      ErrorNumber::kFileBad,
      StrCat("restore: ", file, " is not as it was backed up: ", reason, "; take another backup"));
}

absl::Status RestoreTargetInUse(std::string_view directory) {
  return MakeError(
      ErrorNumber::kAlreadyExists,
      StrCat("restore: ", directory, " exists and is not empty; name a new directory"));
}

absl::Status RestoreUnfinished(std::string_view directory) {
  return MakeError(ErrorNumber::kAlreadyExists,
                   StrCat("restore: ", directory,
                          " is left from a restore that was broken off; remove it first"));
}

absl::Status StopBeforeBackup(Lsn wanted, Lsn control_point) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("restore: LSN ", wanted, " is before the backup's control point, LSN ",
                          control_point, "; use an older backup"));
}

absl::Status StopTimeBeforeBackup(std::string_view wanted, std::string_view taken) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("restore: ", wanted, " is before the backup's control point, ", taken,
                          "; use an older backup"));
}

absl::Status StopBeyondTrail(Lsn wanted, Lsn last) {
  return MakeError(
      ErrorNumber::kBadParameter,
      StrCat("restore: LSN ", wanted, " is beyond the end of backup and archives, LSN ", last,
             "; name the archive that goes on with --trail-archive"));
}

absl::Status NoSuchArchive(std::string_view directory) {
  return MakeError(ErrorNumber::kNotFound,
                   StrCat("restore: ", directory, " has no trail segments of the backup's volume"));
}

absl::Status NoTrailDirectory(std::string_view directory, Lsn lsn) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("the store holds records up to LSN ", lsn,
                          ", but there is no trail directory ", directory,
                          "; name the directory of the volume's trail with --trail, or mount its "
                          "disc"));
}

}  // namespace quire::volume_error
