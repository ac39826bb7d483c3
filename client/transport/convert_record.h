// Single record calls, scans and loads between proto messages and Quire's own types.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_RECORD_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_RECORD_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/operation.h"
#include "quire/service.h"
#include "quire/v1/record.pb.h"

namespace quire {

v1::ReadMode ToProto(ReadMode mode);
absl::StatusOr<ReadMode> FromProto(v1::ReadMode mode);

// Requests. ToProto expects a request whose one operation is of the message's kind.
void ToProto(const UnaryRequest& request, v1::WriteRequest* out);
void ToProto(const UnaryRequest& request, v1::UpdateRequest* out);
void ToProto(const UnaryRequest& request, v1::DeleteRequest* out);
void ToProto(const UnaryRequest& request, v1::ReadRequest* out);
absl::StatusOr<UnaryRequest> FromProto(const v1::WriteRequest& in);
absl::StatusOr<UnaryRequest> FromProto(const v1::UpdateRequest& in);
absl::StatusOr<UnaryRequest> FromProto(const v1::DeleteRequest& in);
absl::StatusOr<UnaryRequest> FromProto(const v1::ReadRequest& in);

// Answers. The result must have exactly one operation, else, or when the operation failed, the
// error is returned and `out` left alone.
absl::Status ToProto(BatchResult&& result, v1::WriteResponse* out);
absl::Status ToProto(BatchResult&& result, v1::UpdateResponse* out);
absl::Status ToProto(BatchResult&& result, v1::DeleteResponse* out);
absl::Status ToProto(BatchResult&& result, v1::ReadResponse* out);
BatchResult FromProto(v1::WriteResponse&& in);
BatchResult FromProto(v1::UpdateResponse&& in);
BatchResult FromProto(v1::DeleteResponse&& in);
BatchResult FromProto(v1::ReadResponse&& in);

void ToProto(const ScanRequest& request, v1::ScanRequest* out);
absl::StatusOr<ScanRequest> FromProto(const v1::ScanRequest& in);
// The answering end writes its pages itself (server/rpc/scan_message.h).
absl::StatusOr<ScanPage> FromProto(v1::ScanResponse&& in);

void ToProto(const LoadRequest& request, v1::LoadHeader* out);
absl::StatusOr<LoadRequest> FromProto(const v1::LoadHeader& in);
void ToProto(const LoadAnswer& answer, v1::LoadResponse* out);
LoadAnswer FromProto(const v1::LoadResponse& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_RECORD_H_
