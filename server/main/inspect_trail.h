// The audit trail of a volume, for reading only. Beside a running server segments may go while they
// are read: those are said and left out.
#ifndef QUIRE_SERVER_MAIN_INSPECT_TRAIL_H_
#define QUIRE_SERVER_MAIN_INSPECT_TRAIL_H_

#include <ostream>

#include "absl/status/statusor.h"
#include "server/base/ids.h"
#include "server/trail/trail_device.h"

namespace quire {

// What recovery would do: batches and records beyond `lsn`, and their last LSN. 59 as
// Trail::Replay.
struct UnplacedTrail {
  uint64_t batches = 0;
  uint64_t records = 0;
  Lsn last_lsn = 0;
};
absl::StatusOr<UnplacedTrail> FindUnplaced(TrailDevice& trail, uint64_t volume_id, Lsn lsn);

// Every segment, every whole batch in it and every record of those: also of batches that recovery
// would not take, with the reason. `placed` is the LSN the store is complete to. The number of
// segments that cannot be read and of records that do not decode.
absl::StatusOr<uint64_t> PrintTrail(TrailDevice& trail, Lsn placed, std::ostream& out);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_TRAIL_H_
