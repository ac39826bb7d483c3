#include "server/rpc/errors.h"

#include "quire/error.h"
#include "quire/text.h"

namespace quire::rpc_errors {

absl::Status ShuttingDown() {
  return MakeError(ErrorNumber::kVolumeDown,
                   "the server is shutting down; what it has not answered it has not done. "
                   "Resume the open, or repeat the call, when the server is back",
                   Retry::kSafe);
}

absl::Status BeyondCredits(uint32_t credits) {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   StrCat("more batches than the open's ", credits,
                          " credits are without results; read results before sending more"));
}

absl::Status UnexpectedMessage(std::string_view got, std::string_view wanted) {
  return MakeError(ErrorNumber::kBadParameter, StrCat("the stream brought ", got, " where ", wanted,
                                                      " must come; see record.proto"));
}

absl::Status NoMemoryForRequest() {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   "the server has no memory to read this message; nothing of it was done, repeat "
                   "it with less at once",
                   Retry::kSafe);
}

absl::Status NoMemoryForAnswer() {
  return MakeError(ErrorNumber::kNoBufferSpace,
                   "the server has no memory for the answer; what was asked may have been done",
                   Retry::kOutcomeUnknown);
}

absl::Status CallerGone() {
  return MakeError(ErrorNumber::kPathDown, "the caller cancelled the call or vanished",
                   Retry::kOutcomeUnknown);
}

absl::Status CannotListen(std::string_view address) {
  return MakeError(ErrorNumber::kVolumeDown,
                   StrCat("cannot listen on ", address,
                          "; check that the address is this machine's and the port is free"));
}

}  // namespace quire::rpc_errors
