// LISTOPENS and LISTLOCKS between proto messages and Quire's own types.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_LISTING_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_LISTING_H_

#include "absl/status/statusor.h"
#include "quire/service.h"
#include "quire/v1/file.pb.h"

namespace quire {

// Requests: pages are bounded by kListPageSize. Answers: 22 for what this version does not know.
void ToProto(const ListOpensRequest& request, v1::ListOpensRequest* out);
absl::StatusOr<ListOpensRequest> FromProto(const v1::ListOpensRequest& in);
void ToProto(const ListOpensPage& page, v1::ListOpensResponse* out);
absl::StatusOr<ListOpensPage> FromProto(const v1::ListOpensResponse& in);

void ToProto(const ListLocksRequest& request, v1::ListLocksRequest* out);
absl::StatusOr<ListLocksRequest> FromProto(const v1::ListLocksRequest& in);
void ToProto(const ListLocksPage& page, v1::ListLocksResponse* out);
absl::StatusOr<ListLocksPage> FromProto(const v1::ListLocksResponse& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_LISTING_H_
