#include "client/transport/errors.h"

#include "quire/error.h"
#include "quire/text.h"

namespace quire::transport_errors {

absl::Status UnknownEnumerator(std::string_view field, int value) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat(field, " is ", value,
                          ", which this version does not know; use a value of its proto file"));
}

absl::Status MissingField(std::string_view field) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat(field, " is missing; the request makes no sense without it"));
}

absl::Status LengthsDisagree(std::string_view what, uint64_t lengths_bytes, uint64_t data_bytes) {
  return MakeError(
      ErrorNumber::kBadParameter,
      StrCat("the lengths of the ", what, " add up to ", lengths_bytes, " bytes but its data has ",
             data_bytes, "; data must be exactly the pieces back to back"));
}

absl::Status MalformedBatch(std::string_view what) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("the batch is malformed: ", what, "; see Batch in record.proto"));
}

absl::Status OutOfRange(std::string_view field, uint64_t value, uint64_t limit) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat(field, " is ", value, "; it may be 0 to ", limit));
}

absl::Status TooLarge(std::string_view what, uint64_t value, uint64_t limit) {
  return MakeError(ErrorNumber::kIllegalCount, StrCat(what, " is ", value, ", at most ", limit,
                                                      " are taken; send less at a time"));
}

absl::Status ResultTooLarge(uint64_t limit_bytes) {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   StrCat("the records read by this batch exceed ", limit_bytes,
                          " bytes; read this one again in a batch with fewer reads"),
                   Retry::kSafe);
}

absl::Status MalformedAnswer(std::string_view what) {
  return MakeError(ErrorNumber::kBadParameter,
                   StrCat("the server's answer is malformed: ", what,
                          "; check that client and server versions agree"),
                   Retry::kOutcomeUnknown);
}

absl::Status Unreachable(std::string_view target, std::string_view reason) {
  return MakeError(
      ErrorNumber::kVolumeDown,
      StrCat("no connection to ", target, " (", reason,
             "); nothing was sent. Check that the server runs and the address is right"),
      Retry::kSafe);
}

absl::Status ConnectionLost(std::string_view target, std::string_view reason) {
  return MakeError(ErrorNumber::kPathDown,
                   StrCat("the connection to ", target, " was lost (", reason,
                          "); the request may or may not have been done. Read before repeating it"),
                   Retry::kOutcomeUnknown);
}

absl::Status Detached() {
  return MakeError(ErrorNumber::kVolumeDown,
                   "the session was detached; its open lives on for its lease. "
                   "Resume it with another session",
                   Retry::kSafe);
}

absl::Status LoadStopped() {
  return MakeError(ErrorNumber::kBadParameter,
                   "the load has stopped at a refused record; this chunk was not tried. "
                   "Correct the record and load the rest, or load with CONTINUE");
}

absl::Status ScanEnded() {
  return MakeError(ErrorNumber::kEndOfFile, "the scan has ended; start another to read again");
}

absl::Status AlreadyClosed(std::string_view what) {
  return MakeError(ErrorNumber::kNotOpen, StrCat("the ", what, " is closed already; open another"));
}

}  // namespace quire::transport_errors
