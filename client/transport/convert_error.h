// The one place where errors become messages and gRPC statuses, and back (R-A1).
//
// A gRPC call that fails carries: the status code of the number; the sentence as message; the
// trailers `quire-error` (number), `quire-error-name`, `quire-retry`; and, in the standard
// status details, google.rpc.Status with one quire.v1.ErrorDetail. Sentences are cut to
// kMaxSentenceBytes, so that all of it fits into gRPC's 8 KiB of metadata, and bytes that are not
// UTF-8 are escaped.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_ERROR_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_ERROR_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "grpcpp/client_context.h"
#include "grpcpp/server_context.h"
#include "grpcpp/support/status.h"
#include "quire/error.h"
#include "quire/v1/common.pb.h"

namespace quire {

inline constexpr size_t kMaxSentenceBytes = 1024;

// Text for a proto string: unchanged when it is UTF-8, else with \x escapes; at most `limit` bytes.
std::string WireText(std::string_view text, size_t limit = kMaxSentenceBytes);

// `status` must not be OK.
void ToProto(const absl::Status& status, v1::ErrorDetail* out);
// Never OK: a detail without a number is 22. Unknown numbers are kept, unknown advice is NEVER.
absl::Status FromProto(const v1::ErrorDetail& in);

// Code, message and details. OK stays OK.
grpc::Status ToGrpc(const absl::Status& status);
// The same, and puts the trailers into the call's context.
grpc::Status ToGrpc(const absl::Status& status, grpc::ServerContextBase* context);

// How far a failed call got, as seen by the client.
struct CallTrace {
  std::string target;  // address the channel was made for
  // The request was handed to a connection. Otherwise nothing can have been done.
  bool sent = true;
};

// The status a failed call carries. Without Quire's own details it came from gRPC itself:
// UNAVAILABLE and CANCELLED become 66 (not sent, retry safe) or 201 (sent, outcome unknown);
// every other code is passed on, and NumberOf finds its nearest number.
absl::Status FromGrpc(const grpc::Status& status, const CallTrace& trace);

// For a call made through a channel to `target`: not sent only when gRPC itself says that it could
// not connect and the call has no peer; in doubt it counts as sent.
absl::Status FromGrpc(const grpc::Status& status, const grpc::ClientContext& context,
                      std::string_view target);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_ERROR_H_
