// Opens and their answers between proto messages and Quire's own types. The state that a resume
// needs travels as an opaque token.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_SESSION_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_SESSION_H_

#include "absl/status/statusor.h"
#include "quire/service.h"
#include "quire/v1/record.pb.h"

namespace quire {

void ToProto(const OpenRequest& request, v1::Open* out);
// 22 for a sync depth above 15, an unknown enumerator, or a token that no server gave. A resume
// without a token is one from before the first answer.
absl::StatusOr<OpenRequest> FromProto(const v1::Open& in);

void ToProto(const Opened& opened, v1::Opened* out);
absl::StatusOr<Opened> FromProto(const v1::Opened& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_SESSION_H_
