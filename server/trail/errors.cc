#include "server/trail/errors.h"

#include <system_error>

#include "quire/error.h"
#include "quire/text.h"

namespace quire::trail_error {
namespace {

constexpr std::string_view kRestore =
    "; restore the volume's directory from a copy, and keep the damaged one for inspection";

}  // namespace

absl::Status BadBatch(std::string_view reason) {
  return MakeError(ErrorNumber::kFileBad, StrCat("audit trail: batch does not check: ", reason));
}

absl::Status UnknownVersion(uint32_t version, uint32_t known) {
  return MakeError(
      ErrorNumber::kFileBad,
      StrCat("audit trail: a batch has layout version ", version, ", this program knows up to ",
             known, "; start the volume with the newer program that wrote it"));
}

absl::Status Hole(uint64_t segment, uint64_t offset, Lsn first_missing, Lsn found) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("audit trail: LSN ", first_missing, " to ", found - 1,
                          " are missing: hole before the batch at segment ", segment, " offset ",
                          offset, ", which begins with LSN ", found, kRestore));
}

absl::Status CutInsideBatch(uint64_t segment, uint64_t offset, Lsn first, Lsn from) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("audit trail: the batch at segment ", segment, " offset ", offset,
                          " starts at record ", first, " but the store is complete to ", from,
                          ", inside it: store and trail do not belong together", kRestore));
}

absl::Status Missing(Lsn from) {
  return MakeError(
      ErrorNumber::kFileBad,
      StrCat("audit trail: no segment found, but the store holds records up to ", from,
             ": --trail names a directory that is not this volume's, or its files were "
             "removed; put them back, or records acknowledged since the last control "
             "point are lost"));
}

absl::Status ForeignSegment(uint64_t segment, uint64_t found_volume_id) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("audit trail: segment ", segment, " belongs to another volume (id ",
                          found_volume_id, "); put this volume's own trail files back"));
}

absl::Status ImpossibleSegment(uint64_t segment, uint64_t bytes) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("audit trail: segment ", segment, " has ", bytes,
                          " bytes; no trail makes such a number or size", kRestore));
}

absl::Status EpochNotAbove(uint64_t epoch, uint64_t trail_epoch) {
  return MakeError(
      ErrorNumber::kFileBad,
      StrCat("audit trail: written in epoch ", trail_epoch, " but the store gives epoch ", epoch,
             ": the store is older than the trail; put the store that belongs to it back"));
}

absl::Status BatchTooLong(uint64_t bytes, uint64_t limit_bytes) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("audit trail: a batch of ", bytes, " bytes is above the limit of ",
                          limit_bytes, "; choose a larger segment size"));
}

absl::Status BadSegmentBytes(uint64_t bytes) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("audit trail: segment size ", bytes,
                          " is not a multiple of 4096 between 64 KiB and 1 GiB"));
}

absl::Status NoDirectWrites(std::string_view directory) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("audit trail: the file system of ", directory,
                          " refuses direct writes; use --trail-sync fdatasync"));
}

absl::Status NoRoom(uint64_t bytes) {
  return MakeError(ErrorNumber::kNoDiscSpace,
                   StrCat("audit trail: no room for ", bytes,
                          " bytes; free disc space, or repeat after the next control point"),
                   Retry::kSafe);
}

absl::Status NoSpaceForSegment(uint64_t segment, uint64_t bytes) {
  return MakeError(ErrorNumber::kNoDiscSpace,
                   StrCat("audit trail: the disc has no room for segment ", segment, " of ", bytes,
                          " bytes; free disc space"),
                   Retry::kSafe);
}

absl::Status DiscFailed(std::string_view operation, std::string_view file, int error_number) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("audit trail: ", operation, " of ", file,
                          " failed: ", std::generic_category().message(error_number),
                          "; check the disc, then start the volume again"));
}

absl::Status ArchiveFailed(std::string_view operation, std::string_view file, int error_number) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("trail archive: ", operation, " of ", file,
                          " failed: ", std::generic_category().message(error_number),
                          "; no segment is used again until it can be archived"));
}

absl::Status ArchiveHoldsAnother(std::string_view file) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("trail archive: ", file,
                          " was written by another copy of this volume; name another directory "
                          "with --trail-archive"));
}

absl::Status DiscCut() {
  return MakeError(ErrorNumber::kVolumeDown, "audit trail: the simulated disc has been cut");
}

absl::Status OutsideSegment(uint64_t segment, uint64_t offset, uint64_t bytes) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("audit trail: segment ", segment, " has no ", bytes, " bytes at ", offset,
                          "; it was shortened or removed by another program"));
}

absl::Status ReadOnly() {
  return MakeError(ErrorNumber::kInvalidOperation, "audit trail: it is opened for reading only");
}

absl::Status Closing() {
  return MakeError(ErrorNumber::kVolumeDown, "audit trail: the volume is being stopped");
}

}  // namespace quire::trail_error
