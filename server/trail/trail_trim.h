// A trail made to end earlier than it does, for a restore to a chosen LSN or time.
#ifndef QUIRE_SERVER_TRAIL_TRAIL_TRIM_H_
#define QUIRE_SERVER_TRAIL_TRAIL_TRIM_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "server/base/ids.h"
#include "server/trail/trail_device.h"
#include "server/trail/trail_replay.h"

namespace quire {

struct TrailEnd {
  Lsn last_lsn = 0;      // of the last batch left, or `from`
  int64_t time_us = 0;   // of that batch; 0: unknown
  uint64_t batches = 0;  // left, beyond `from`
  uint64_t epoch = 0;    // highest of any batch, those dropped included
  bool trimmed = false;  // something was dropped
};

// Drops every batch from the first one beyond `limit` on: nothing can replay it afterwards. The
// trail is nobody's meanwhile. Errors as ReplayTrail. Where it fails, repeat it.
absl::StatusOr<TrailEnd> TrimTrail(TrailDevice& device, uint64_t volume_id, Lsn from,
                                   const ReplayLimit& limit);

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_TRAIL_TRIM_H_
