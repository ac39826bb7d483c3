// Reads a trail from disc: which batches count, where the trail ends, and whether it is whole
// (R-D2). Writes nothing but for syncing what an earlier process left unsynced.
//
// The segments are walked in the order of their numbers, in steps of one 4 KiB block where no own
// batch stands. A batch is "own" when its header names this volume, this segment and this place
// and its checksum is right; so neither what a reused segment held before nor the remains of a torn
// write can pass for one. Walking on to the end, beyond the first block that is no batch, is what
// tells a torn tail (nothing own follows) from a hole (something does).
#ifndef QUIRE_SERVER_TRAIL_TRAIL_REPLAY_H_
#define QUIRE_SERVER_TRAIL_TRAIL_REPLAY_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "server/base/ids.h"
#include "server/trail/trail.h"
#include "server/trail/trail_device.h"

namespace quire {

struct SegmentContent {
  uint64_t number = 0;
  uint64_t bytes = 0;  // size of the file, whole blocks
  Lsn last_lsn = 0;    // of its last own batch; 0: none
  // Up to the end of its last own batch; 0 when none was seen, also where it was not needed.
  uint64_t used_bytes = 0;
};

// How far to replay: whole batches that lie within both.
struct ReplayLimit {
  Lsn lsn = std::numeric_limits<Lsn>::max();
  int64_t time_us = std::numeric_limits<int64_t>::max();
  bool Holds(Lsn last_lsn, int64_t batch_time_us) const {
    return last_lsn <= lsn && batch_time_us <= time_us;
  }
};

struct TrailContent {
  std::vector<SegmentContent> segments;  // ascending numbers
  Lsn last_lsn = 0;                      // of the last record replayed, or `from`
  uint64_t epoch = 0;                    // highest of any own batch seen
  int64_t last_time_us = 0;              // latest of any own batch replayed or before `from`
  // Where the limit ended it: the first batch that was left out.
  struct Stop {
    uint64_t segment = 0;
    uint64_t offset = 0;
  };
  std::optional<Stop> stop;
};

// Errors as Trail::Replay. Reads one segment into memory at a time. Beyond the limit it only looks
// for the highest epoch.
absl::StatusOr<TrailContent> ReplayTrail(TrailDevice& device, uint64_t volume_id, Lsn from,
                                         Trail::ReplayBatch batch, const ReplayLimit& limit = {});

// Of the last own batch of one segment, whatever comes before it; 0: it has none. Reads it whole.
absl::StatusOr<Lsn> LastLsnOf(TrailDevice& device, uint64_t volume_id, uint64_t segment);

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_TRAIL_REPLAY_H_
