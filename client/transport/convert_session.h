// Sessions between proto messages and Quire's own types. Batches and their results are the hot
// path: one allocation per batch, none per record, data strings are moved.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_SESSION_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_SESSION_H_

#include "absl/status/statusor.h"
#include "quire/operation.h"
#include "quire/service.h"
#include "quire/v1/record.pb.h"

namespace quire {

void ToProto(const OpenRequest& request, v1::Open* out);
absl::StatusOr<OpenRequest> FromProto(const v1::Open& in);

void ToProto(const Opened& opened, v1::Opened* out);
absl::StatusOr<Opened> FromProto(const v1::Opened& in);

// A batch of WRITEs alone takes the short form (write_lengths). `batch` is left empty.
void ToProto(OperationBatch&& batch, v1::Batch* out);
// 21 beyond kMaxBatchBytes or kMaxBatchOperations; 22 for lengths that do not add up to the data
// and for unknown enumerators.
absl::StatusOr<OperationBatch> FromProto(v1::Batch&& in);

// Lists only what failed or warned. Reads whose records do not fit into one message any more are
// answered with 31, retry safe.
void ToProto(BatchResult&& result, v1::BatchResult* out);
// 22 when it contradicts itself.
absl::StatusOr<BatchResult> FromProto(v1::BatchResult&& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_SESSION_H_
