// Runs one record operation on one open: access, locks, room, position, the file itself, counters.
// Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_EXECUTE_OPERATION_H_
#define QUIRE_SERVER_VOLUME_EXECUTE_OPERATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "quire/operation.h"
#include "server/volume/disc_process.h"
#include "server/volume/open_key.h"
#include "server/volume/open_table.h"
#include "server/volume/request.h"

namespace quire {

struct OperationContext {
  VolumeState& state;
  DiscProcess& process;
  Request& request;
  OpenEntry& open;
  uint32_t lock_timeout_ms = 0;  // 0: the default
  bool may_wait = true;          // for locks
  // By whom and with which sync id a change may be repeated (R-D10); zeros: by nobody.
  OpenKey repeater = {};
  uint64_t sequence = 0;
};

// A record read is appended to `data`. Counts one request (R-C3). False: the operation waits for a
// lock, nothing is done or counted; call it again when the request is executed again.
bool ExecuteOperation(const OperationContext& context, const Operation& operation,
                      OperationResult* result, std::string* data);

// The same for a plain read by full key; `record` is replaced. Left out: locks have to be looked
// at, or it would have to wait, or is to be told of a loss; nothing is done or counted. 31 when
// there is no memory for it: counted too, so not to be left to a request then.
std::optional<absl::Status> TryReadByKey(VolumeState& state, const DiscProcess& process,
                                         OpenEntry& open, std::string_view key,
                                         std::string* record);

// Runs `fill` (cursor work) with counters of one request; nothing is counted when it leaves
// `request` waiting for a lock, because it is run again then.
absl::Status ExecuteScan(VolumeState& state, const Request& request, OpenEntry& open,
                         absl::FunctionRef<absl::Status(BlockCalls&)> fill);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_EXECUTE_OPERATION_H_
