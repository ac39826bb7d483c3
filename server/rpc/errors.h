// Errors that the serving end adds to those of the services behind it and of the converters.
#ifndef QUIRE_SERVER_RPC_ERRORS_H_
#define QUIRE_SERVER_RPC_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace quire::rpc_errors {

// 66, retry SAFE: the server is draining. Everything it had read is answered; what is not
// answered was not done. Opens live on for their lease.
absl::Status ShuttingDown();
// 22: a stream's messages come in an order that makes no sense.
absl::Status UnexpectedMessage(std::string_view got, std::string_view wanted);
// 31: a batch that the open had no credit for.
absl::Status BeyondCredits(uint32_t credits);
// 31, retry SAFE: no memory to read the message; nothing of it was done.
absl::Status NoMemoryForRequest();
// 31, outcome unknown: what was asked is done, or refused; there is no memory for the answer.
absl::Status NoMemoryForAnswer();
// 201, outcome unknown: the caller cancelled or vanished. Seen in logs alone.
absl::Status CallerGone();
// 66: the server cannot listen at the address.
absl::Status CannotListen(std::string_view address);

}  // namespace quire::rpc_errors

#endif  // QUIRE_SERVER_RPC_ERRORS_H_
