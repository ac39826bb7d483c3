// Batches of operations and their results between proto messages and Quire's own types. The hot
// path: one allocation per batch, none per record, data strings are moved.
#ifndef QUIRE_CLIENT_TRANSPORT_CONVERT_BATCH_H_
#define QUIRE_CLIENT_TRANSPORT_CONVERT_BATCH_H_

#include "absl/status/statusor.h"
#include "quire/operation.h"
#include "quire/v1/record.pb.h"

namespace quire {

// A batch of plain WRITEs alone takes the short form (write_lengths). `batch` is left empty.
void ToProto(OperationBatch&& batch, v1::Batch* out);
// 21 beyond kMaxBatchBytes or kMaxBatchOperations; 22 for lengths that do not add up to the data,
// unknown enumerators, sequence offsets that do not rise or are not one per operation, and bytes
// that are no position. Lock modes are left to the open, which answers 2 as SETMODE does.
absl::StatusOr<OperationBatch> FromProto(v1::Batch&& in);

// Lists only what failed or warned. Reads whose records do not fit into one message any more are
// answered with 31, retry safe.
void ToProto(BatchResult&& result, v1::BatchResult* out);
// 22 when it contradicts itself.
absl::StatusOr<BatchResult> FromProto(v1::BatchResult&& in);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CONVERT_BATCH_H_
