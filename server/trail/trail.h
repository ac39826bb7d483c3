// The audit trail of a volume: the one ordered log a reply waits for and recovery replays (R-D2).
//
// The batch is the unit: header, records, one checksum over all of it; it is replayed whole or not
// at all. Batches lie back to back in segments, each on a new 4 KiB border; one that does not fit
// goes to the next segment. A block that holds acknowledged bytes is never written again while its
// segment is needed. Replay accepts only the expected LSN in a non-decreasing epoch, so that old
// batches in reused segments never count. One write is in flight: an invalid last batch is a torn
// tail; a valid later batch of the same epoch beyond it is a hole, and refused with 59.
//
// Hold keeps segments from being reused while a backup copies them; an archive gets a copy of each
// before it is reused.
//
// Life: Open, Replay, Start, then Append and Release. Destroying it ends the background thread and
// writes nothing.
#ifndef QUIRE_SERVER_TRAIL_TRAIL_H_
#define QUIRE_SERVER_TRAIL_TRAIL_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "server/base/clock.h"
#include "server/base/ids.h"
#include "server/trail/trail_batch.h"
#include "server/trail/trail_device.h"

namespace quire {

struct TrailOptions {
  uint64_t volume_id = 0;  // random, made with the volume; a foreign segment is refused
  // 0: the default of limits.h. A multiple of 4096, 64 KiB to 1 GiB (else 22). May differ from
  // start to start: segments of another size are replayed and then removed.
  uint64_t segment_bytes = 0;
  Clock* clock = Clock::Real();  // its wall clock dates the batches
  // Released segments are copied into the volume's folder of this directory before they are used
  // again. Empty: they are not.
  std::string archive_directory = {};
  // Told of each try to archive that failed; it is repeated every second, and no released segment
  // is reused meanwhile. From a thread of the trail.
  std::function<void(const absl::Status&)> report_archive_failure = {};
};

// A segment of a running trail as far as it is durable: what stands there does not change as long
// as the segment is live.
struct TrailPart {
  uint64_t segment = 0;
  uint64_t bytes = 0;  // a multiple of kTrailBlockBytes
  Lsn last_lsn = 0;    // of its last batch
};

// While one lives, no segment is reused or removed, so the trail only grows. Must not outlive it.
class TrailHold {
 public:
  virtual ~TrailHold() = default;
};

// Physical work since Open; read by any thread.
struct TrailStatistics {
  int64_t batches = 0;
  int64_t written_bytes = 0;  // padding included
  int64_t syncs = 0;
  int64_t sync_micros = 0;  // write and sync
  int64_t segments = 0;     // now present
};

class Trail {
 public:
  static absl::StatusOr<std::unique_ptr<Trail>> Open(std::unique_ptr<TrailDevice> device,
                                                     const TrailOptions& options);
  virtual ~Trail() = default;

  // One call per batch, in order: its first LSN and its records. Views live during the call.
  using ReplayBatch =
      absl::FunctionRef<absl::Status(Lsn first_lsn, absl::Span<const TrailRecord> records)>;
  // Replays everything after `from` (the LSN a control point is complete to). Returns the LSN of
  // the last record replayed, or `from`. 59: a hole, or records from before `from` + 1 missing, or
  // segments of another volume or version. Changes nothing on disc; may be called again.
  virtual absl::StatusOr<Lsn> Replay(Lsn from, ReplayBatch batch) = 0;

  // Begins writing with LSNs above `last_lsn` (at least what Replay returned) in `epoch`, which
  // must be above every epoch before (else 59). Begins a segment of its own: what an earlier start
  // left unfinished is never written upon. Starts the background thread that keeps the next segment
  // ready, and waits for the first; a full disc is not an error here, EnsureRoom tells it.
  virtual absl::Status Start(Lsn last_lsn, uint64_t epoch) = 0;

  // Longest batch (disc_bytes) that Append takes: half a segment.
  virtual uint64_t max_batch_bytes() const = 0;
  // Whether `bytes` more can be appended for sure, in batches of any length up to the longest; 43
  // when no segment is free and none can be made (a control point frees some). Not a reservation:
  // count everything admitted and not yet appended into `bytes`. Only Append takes room away. An
  // atomic compare, unless a segment must be awaited. Any thread, after Start.
  virtual absl::Status EnsureRoom(uint64_t bytes) = 0;

  // Committer only. Durable when it returns; the LSN of the batch's last record. Any error latches
  // the volume: it is never tried again.
  virtual absl::StatusOr<Lsn> Append(TrailBatch& batch) = 0;

  // Records up to `lsn` are in the store: their segments may be reused. Any thread.
  virtual void Release(Lsn lsn) = 0;

  // The next three are for a copy of the trail while it is written. Any thread, after Start.
  virtual std::unique_ptr<TrailHold> Hold() = 0;
  // Ascending; those that are not released or held, the one being written last.
  virtual std::vector<TrailPart> DurableParts() const = 0;
  // Of a part; `offset` and `to` as in TrailDevice.
  virtual absl::Status ReadPart(uint64_t segment, uint64_t offset, absl::Span<char> to) = 0;

  virtual TrailStatistics Statistics() const = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_TRAIL_H_
