#include "client/bench/errors.h"

#include <cerrno>
#include <string>
#include <system_error>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

std::string Cause(int cause) {
  return std::generic_category().message(cause);
}

ErrorNumber NumberOfCause(int cause) {
  switch (cause) {
    case ENOENT:
    case ENOTDIR:
      return ErrorNumber::kNotFound;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorNumber::kSecurityViolation;
    case ENOSPC:
    case EDQUOT:
      return ErrorNumber::kNoDiscSpace;
    default:
      return ErrorNumber::kBadParameter;
  }
}

}  // namespace

absl::Status CannotOpen(std::string_view path, int cause) {
  return MakeError(NumberOfCause(cause), StrCat("cannot open ", path, ": ", Cause(cause),
                                                "; check the name and its permissions"));
}

absl::Status CannotRead(std::string_view path, int cause) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("cannot read ", path, ": ", Cause(cause), "; is it a plain file?"));
}

absl::Status CannotWrite(std::string_view path, int cause) {
  return MakeError(NumberOfCause(cause), StrCat("cannot write ", path, ": ", Cause(cause),
                                                "; check the room and permissions there"));
}

absl::Status BadOption(std::string_view option, std::string_view reason) {
  return MakeError(ErrorNumber::kBadParameter, StrCat("--", option, ": ", reason));
}

absl::Status DamagedReport(uint64_t line, std::string_view reason) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("report text is damaged at line ", line, ": ", reason,
                          "; mend the line or make the text anew with quire-bench generate"));
}

absl::Status ReportTooLong(uint64_t line, size_t text_bytes, size_t room_bytes) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("the report block that starts at line ", line, " makes ", text_bytes,
                          " bytes of CSV text, a record has room for ", room_bytes,
                          "; raise --rec or shorten the block"));
}

absl::Status DamagedCsv(uint64_t row, std::string_view reason) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("row ", row, " is not CSV: ", reason,
                          "; quote fields that hold quotes and double the quotes inside"));
}

absl::Status RaggedRow(uint64_t row, size_t fields, size_t expected) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("row ", row, " has ", fields, " fields, the first row has ", expected,
                          "; every row must have the same number"));
}

absl::Status KeyColumnMissing(size_t column, size_t fields) {
  return MakeError(ErrorNumber::kBadParameter, StrCat("--key-column ", column, ": the rows have ",
                                                      fields, " fields; columns count from 1"));
}

absl::Status KeyTooLong(uint64_t row, size_t column, size_t bytes, size_t key_length) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("row ", row, ": the key in column ", column, " has ", bytes,
                          " bytes, KEYLEN is ", key_length, "; raise --key-length"));
}

absl::Status RowTooLong(uint64_t row, size_t row_bytes_at_least, size_t room_bytes) {
  return MakeError(
      ErrorNumber::kIllegalCount,
      StrCat("row ", row, " has ", row_bytes_at_least, " bytes or more, a record has room for ",
             room_bytes, " after its key; raise --rec, nothing is truncated"));
}

absl::Status RecordRefused(std::string_view noun, uint64_t number, const absl::Status& why) {
  return MakeError(NumberOf(why), StrCat(noun, " ", number, ": ", ToStd(why.message())),
                   RetryOf(why));
}

absl::Status Interrupted() {
  return MakeError(ErrorNumber::kTimedOut, "interrupted; the run is not complete, start it again");
}

absl::Status ServerNotStarted(std::string_view volume, std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("the server of ", volume, " did not start: ", reason));
}

absl::Status ServerEndedBadly(std::string_view volume, std::string_view how) {
  return MakeError(ErrorNumber::kVolumeDown, StrCat("the server of ", volume, " ", how));
}

absl::Status NoProfile(std::string_view path, std::string_view reason) {
  return MakeError(ErrorNumber::kVolumeDown, StrCat("no profile ", path, ": ", reason));
}

absl::Status DamagedProfile(std::string_view reason) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("this is not what quire-volume --profile writes: ", reason));
}

absl::Status NotEnoughDisc(std::string_view directory, uint64_t records, uint64_t wanted_bytes,
                           uint64_t free_bytes) {
  return MakeError(ErrorNumber::kNoDiscSpace,
                   StrCat("a step of ", records, " records takes up to ", wanted_bytes / 1000000,
                          " MB, and ", directory, " has ", free_bytes / 1000000,
                          " MB free; choose another --directory or smaller --scale_steps"));
}

absl::Status ChildEndedBadly(std::string_view work, std::string_view said) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("the process of the step's ", work, " ended early: ", said));
}

absl::Status OtherRecordRead(uint64_t rank) {
  return MakeError(ErrorNumber::kFileBad, StrCat("record ", rank, " is not what was written"));
}

absl::Status RecordsMissing(std::string_view file, uint64_t found, uint64_t expected) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat(file, " has ", found, " records, and ", expected, " were acknowledged"));
}

absl::Status OtherRecordCount(std::string_view file, uint64_t given, uint64_t there) {
  return MakeError(ErrorNumber::kFileBad,
                   StrCat("a scan of ", file, " gave ", given, " of ", there, " records"));
}

absl::Status NothingInCommon(std::string_view first_path, std::string_view second_path) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat(first_path, " and ", second_path,
                          " have no kind of run in common; measure both with the same options"));
}

absl::Status DamagedMeasurements(std::string_view path, std::string_view reason) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat(path, " does not hold measurements of quire-bench csvload: ", reason,
                          "; write the file with --json"));
}

}  // namespace bench
}  // namespace quire
