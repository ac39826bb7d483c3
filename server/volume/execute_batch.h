// Runs record operations on one open: access, room, the file itself, counters, durability.
#ifndef QUIRE_SERVER_VOLUME_EXECUTE_BATCH_H_
#define QUIRE_SERVER_VOLUME_EXECUTE_BATCH_H_

#include <string>

#include "quire/operation.h"
#include "server/volume/disc_process.h"
#include "server/volume/open_table.h"
#include "server/volume/request.h"

namespace quire {

// One operation; a record read is appended to `data`. Counts one request (R-C3).
OperationResult ExecuteOperation(VolumeState& state, DiscProcess& process, Request& request,
                                 OpenEntry& open, const Operation& operation, std::string* data);

// All operations of a batch in order, and what the reply has to wait for.
void ExecuteBatch(VolumeState& state, DiscProcess& process, Request& request, OpenEntry& open,
                  const OperationBatch& batch, BatchResult* result);

// A result in which every operation has this status (nothing was executed, or all is unknown).
BatchResult SameForAll(const OperationBatch& batch, const absl::Status& status);

// Runs `fill` (cursor work) with counters of one request.
absl::Status ExecuteScan(VolumeState& state, OpenEntry& open,
                         absl::FunctionRef<absl::Status(BlockCalls&)> fill);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_EXECUTE_BATCH_H_
