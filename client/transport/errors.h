// Errors of the wire: messages that do not make sense, connections that do not hold. One function
// per error; each sentence says what is wrong and what to do.
#ifndef QUIRE_CLIENT_TRANSPORT_ERRORS_H_
#define QUIRE_CLIENT_TRANSPORT_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace quire::transport_errors {

// 22: the field holds an enumerator that this version does not know.
absl::Status UnknownEnumerator(std::string_view field, int value);
// 22: a field that must be there is not.
absl::Status MissingField(std::string_view field);
// 22: lengths of a batch or chunk do not add up to its data.
absl::Status LengthsDisagree(std::string_view what, uint64_t lengths_bytes, uint64_t data_bytes);
// 22: a batch that contradicts itself.
absl::Status MalformedBatch(std::string_view what);
// 22: a number beyond what the field may hold.
absl::Status OutOfRange(std::string_view field, uint64_t value, uint64_t limit);
// 21: more bytes (operations, characters) than the limit.
absl::Status TooLarge(std::string_view what, uint64_t value, uint64_t limit);
// 31, retry safe: the records read by one batch do not fit into one message.
absl::Status ResultTooLarge(uint64_t limit_bytes);
// 22: an answer with another shape than the request asks for.
absl::Status MalformedAnswer(std::string_view what);

// 66, retry safe: no connection could be made, so nothing was sent.
absl::Status Unreachable(std::string_view target, std::string_view reason);
// 201, outcome unknown: the connection broke after the request had left.
absl::Status ConnectionLost(std::string_view target, std::string_view reason);
// 66, retry safe: the user detached the session; what it submitted is answered.
absl::Status Detached();
// 22: a chunk sent after a load had stopped at a refused record.
absl::Status LoadStopped();
// 1: reading on after the end of a scan.
absl::Status ScanEnded();
// 16: a call on a session or load that was closed by its user.
absl::Status AlreadyClosed(std::string_view what);

}  // namespace quire::transport_errors

#endif  // QUIRE_CLIENT_TRANSPORT_ERRORS_H_
