#include "client/filesystem/errors.h"

#include "absl/strings/escaping.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire::filesystem_errors {

absl::Status NoSuchVolume(std::string_view volume) {
  return MakeError(
      ErrorNumber::kNoSuchVolume,
      StrCat("volume ", volume,
             " is not in the volume map; check the name, or add the volume to the map"));
}

absl::Status PartOnUnknownVolume(uint32_t part, std::string_view volume) {
  return MakeError(
      ErrorNumber::kNoSuchVolume,
      StrCat("PART ", part, " is on ", volume,
             ", which is not in the volume map; nothing was created. Correct SET PART, "
             "or add the volume to the map"));
}

absl::Status VolumeDown(std::string_view volume, std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("volume ", volume, " does not answer (", reason,
                          "); start its server, then repeat the call"),
                   Retry::kSafe);
}

absl::Status NoVolumeAnswers(std::string_view reason) {
  return MakeError(
      ErrorNumber::kVolumeDown,
      StrCat("none of the volumes answers (", reason, "); start their servers, then repeat"),
      Retry::kSafe);
}

absl::Status RouterSilent(std::string_view address, std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("no quire-router answers at ", address, " (", reason,
                          "); start it, or give the right address"),
                   Retry::kSafe);
}

absl::Status ShuttingDown() {
  return MakeError(ErrorNumber::kVolumeDown, "the file system is being closed; open it again",
                   Retry::kSafe);
}

absl::Status OpenBroken(std::string_view where, std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("the open's connection to ", where, " broke (", reason,
                          "); when it is up again, close the file and open it anew"),
                   Retry::kReopen);
}

absl::Status OpenUnreachable(std::string_view where, std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("the open's connection to ", where, " broke, and it does not answer (",
                          reason, "); start its server, then repeat the operation"),
                   Retry::kSafe);
}

absl::Status PartitionNotOpen(uint32_t partition, std::string_view volume,
                              std::string_view reason) {
  return MakeError(
      ErrorNumber::kPartitionMissing,
      StrCat("partition ", partition, " on ", volume, " could not be opened with the file (",
             reason, "); put that right, then close the file and open it anew"),
      Retry::kReopen);
}

absl::Status SecondaryByName(const FileName& name, std::string_view primary_volume) {
  return MakeError(ErrorNumber::kPartitionMissing,
                   StrCat(name.ToString(), " is a secondary partition; use the file by its name, ",
                          name.OnVolume(primary_volume).ToString()));
}

absl::Status OutcomeUnknown(std::string_view where, std::string_view reason) {
  return MakeError(ErrorNumber::kPathDown,
                   StrCat("the connection to ", where, " broke before the answer came (", reason,
                          "); the operation may or may not have been done: read the record to see"),
                   Retry::kOutcomeUnknown);
}

absl::Status ResultMissing(std::string_view where) {
  return MakeError(ErrorNumber::kPathDown,
                   StrCat("the answer from ", where,
                          " has no result for this operation; it may or may not have been done: "
                          "read the record to see"),
                   Retry::kOutcomeUnknown);
}

absl::Status TooManyBatches(uint32_t credits) {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   StrCat("more than ", credits,
                          " batches were sent without waiting for results; wait for a result "
                          "before sending the next batch"));
}

absl::Status NotExecuted() {
  return MakeError(ErrorNumber::kBadParameter,
                   "not executed: an operation before it in the batch failed, and the batch says "
                   "stop_on_error",
                   Retry::kSafe);
}

absl::Status NotOneOperation(uint64_t operations) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("a single call has one operation, this one has ", operations,
                          "; send batches through a session"));
}

absl::Status FileClosed(const FileName& name) {
  return MakeError(ErrorNumber::kNotOpen,
                   StrCat(name.ToString(), " was closed by this program; open it again"));
}

absl::Status StaleLabel(const FileName& name) {
  return MakeError(
      ErrorNumber::kReopen,
      StrCat(name.ToString(), " was replaced by another file of the same name; open it again"),
      Retry::kReopen);
}

absl::Status FileExists(const FileName& name) {
  return MakeError(ErrorNumber::kAlreadyExists,
                   StrCat(name.ToString(), " exists; purge it first, or choose another name"));
}

absl::Status PartOnPrimaryVolume(uint32_t part, std::string_view volume) {
  return MakeError(ErrorNumber::kAlreadyExists,
                   StrCat("PART ", part, " is on ", volume,
                          ", which already holds the primary partition; every partition needs a "
                          "volume of its own"));
}

absl::Status CreateOutcomeUnknown(const FileName& name, std::string_view reason) {
  return MakeError(ErrorNumber::kPathDown,
                   StrCat("the connection to ", name.volume, " broke while ", name.ToString(),
                          " was being created (", reason,
                          "); ask INFO whether it exists. If not, CREATE it again"),
                   Retry::kOutcomeUnknown);
}

absl::Status FileIsOpen(const FileName& name, uint32_t opens) {
  return MakeError(ErrorNumber::kFileInUse,
                   StrCat(name.ToString(), " has ", opens,
                          " opens; nothing was purged. Close them (LISTOPENS names the programs), "
                          "then purge again"));
}

absl::Status PurgedButPartitionRemains(const FileName& name, std::string_view volumes) {
  return MakeError(ErrorNumber::kPartitionFailure,
                   StrCat(name.ToString(), " is gone, but its partition on ", volumes,
                          " could not be reached; it is invisible and will be removed later"));
}

absl::Status AlteredInPart(const FileName& name, std::string_view volumes) {
  return MakeError(ErrorNumber::kPartitionFailure,
                   StrCat(name.ToString(), " was altered, but not its partition on ", volumes,
                          "; repeat the ALTER"),
                   Retry::kSafe);
}

absl::Status StepIsInternal() {
  return MakeError(ErrorNumber::kBadParameter,
                   "`step` belongs to the protocol between file system and volumes; a router runs "
                   "it by itself. Leave it out");
}

absl::Status ScanEnded() {
  return MakeError(ErrorNumber::kEndOfFile, "the scan has ended; start a new one to read on");
}

absl::Status ScanBroken(const absl::Status& cause, std::string_view last_key) {
  if (last_key.empty()) {
    return MakeError(NumberOf(cause),
                     StrCat(ToStd(cause.message()), ". The scan had given no record yet"),
                     RetryOf(cause));
  }
  return MakeError(NumberOf(cause),
                   StrCat(ToStd(cause.message()), ". The last key given was \"",
                          absl::CHexEscape(ToAbsl(last_key)), "\""),
                   RetryOf(cause));
}

absl::Status LoadStopped() {
  return MakeError(ErrorNumber::kBadParameter,
                   "not sent: the load stopped at a refused record; start a new load after it");
}

absl::Status ChunkMalformed() {
  return MakeError(ErrorNumber::kBadParameter,
                   "the record lengths of a chunk do not add up to its data; correct the sender");
}

absl::Status ChunkOutOfOrder() {
  return MakeError(
      ErrorNumber::kBadParameter,
      "a chunk holds a record that is not the next one of its scan; correct the sender");
}

absl::Status SubsetEnded() {
  return MakeError(ErrorNumber::kEndOfFile,
                   "no record follows in the subset; set a position to read elsewhere");
}

absl::Status PositionOfOtherFile(uint64_t key_length, uint32_t file_key_length) {
  return MakeError(
      ErrorNumber::kBadParameter,
      StrCat("the position has a key of ", key_length, " bytes, keys of this file have ",
             file_key_length, "; restore it in the file where it was saved"));
}

absl::Status BufferTooLarge(uint32_t bytes) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("a sequential buffer of ", bytes, " bytes is above the largest, ",
                          kMaxMessageBytes, "; ask for less"));
}

absl::Status OperationTooLarge(uint64_t bytes, uint32_t limit) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("a record or key of ", bytes, " bytes is longer than a message holds, ",
                          limit, " bytes"));
}

absl::Status Cancelled() {
  return MakeError(ErrorNumber::kTimedOut,
                   "the operation was cancelled before it was sent; nothing was done",
                   Retry::kSafe);
}

absl::Status BadResumeToken() {
  return MakeError(ErrorNumber::kBadParameter,
                   "the token to resume with was not given by an open of this file; open it anew");
}

absl::Status BadPageToken() {
  return MakeError(ErrorNumber::kBadParameter,
                   "the page token was not given by this service; list again from the start");
}

absl::Status OneOfRouterAndVolumes() {
  return MakeError(ErrorNumber::kBadParameter,
                   "give either the address of a router or a volume map, and not both");
}

absl::Status MapUnreadable(std::string_view path, std::string_view reason) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("volume map ", path, " cannot be read: ", reason));
}

absl::Status MapLine(std::string_view path, uint32_t line, std::string_view reason) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("volume map ", path, ", line ", line, ": ", reason,
                          ". Write lines like $DATA01 = 127.0.0.1:7001"));
}

absl::Status AsReadFailure(const absl::Status& status, std::string_view volume) {
  // A transport knows only the address; the user needs the volume.
  const bool unnamed = NumberOf(status) == ErrorNumber::kVolumeDown &&
                       ToStd(status.message()).find(volume) == std::string_view::npos;
  if (NumberOf(status) != ErrorNumber::kPathDown && !unnamed) return status;
  return VolumeDown(volume, ToStd(status.message()));
}

}  // namespace quire::filesystem_errors
