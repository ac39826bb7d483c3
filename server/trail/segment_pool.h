// The segments of a trail: which may be written next, which still hold records the store has not,
// and which may be reused (R-D3, R-D17).
//
//   ready    numbered above the one being written, in order; made of zeros or reused
//   current  being written by the committer; not in the pool
//   live     written, still needed by recovery
//   released no longer needed by recovery, but still to be archived (only with an archive)
//   free     waits under its old number to be renamed to the next one
//
// A background thread makes segments ready before they are needed and removes spares. It sleeps
// while there is nothing to do.
#ifndef QUIRE_SERVER_TRAIL_SEGMENT_POOL_H_
#define QUIRE_SERVER_TRAIL_SEGMENT_POOL_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/mutex.h"
#include "server/base/ids.h"
#include "server/trail/trail_archive.h"
#include "server/trail/trail_device.h"

namespace quire {

// Free segments kept for reuse: as many as a control point of the default trail limit releases,
// and some. More are removed.
inline constexpr size_t kSpareSegments = 12;

class SegmentPool {
 public:
  struct Live {
    uint64_t number = 0;
    uint64_t bytes = 0;
    Lsn last_lsn = 0;
    uint64_t used_bytes = 0;  // up to the end of its last batch
  };
  // What recovery found.
  struct Found {
    std::deque<Live> live;         // ascending
    std::deque<Live> released;     // with batches that the archive may lack; empty without one
    std::deque<uint64_t> free;     // of the right size
    std::deque<uint64_t> useless;  // of another size: removed
    uint64_t highest_number = 0;   // of all
  };

  struct Archive {
    std::unique_ptr<TrailArchive> body;               // nullptr: none
    std::function<void(const absl::Status&)> report;  // each failure, from the thread
  };

  // `device` outlives the pool. Multiples of kTrailBlockBytes; max_batch_bytes is at most half of
  // segment_bytes.
  SegmentPool(TrailDevice* device, uint64_t segment_bytes, uint64_t max_batch_bytes,
              Archive archive = {});
  ~SegmentPool();  // ends the thread; waits for the file operation it is in

  // Once, before anything else. Gives the first segment to be written, which has a number that no
  // batch on disc can carry. Errors as Take; after 43 the pool works and Take may be called again.
  absl::StatusOr<uint64_t> Start(Found found);

  // Bytes that can be appended for sure. Any thread.
  uint64_t room_bytes() const { return room_bytes_.load(std::memory_order_acquire); }
  // Waits until room_bytes() is at least `bytes`; 43 when the disc is full and nothing is free, 66
  // when a file operation failed (for good: the pool is latched). After Start.
  absl::Status AwaitRoom(uint64_t bytes);

  // Committer only. `bytes` of the current segment have been written.
  void Use(uint64_t bytes);
  // Committer only. The next segment to be written, where the current one has `left_bytes` that
  // will not be used. Waits for one; errors as AwaitRoom.
  absl::StatusOr<uint64_t> Take(uint64_t left_bytes);
  // Committer only. The segment that was current before Take.
  void Retire(const Live& segment);

  // The store has all records up to `lsn`. Any thread.
  void Release(Lsn lsn);
  // Between the two, what is released stays live: nothing is reused or removed. They nest. Any
  // thread.
  void Hold();
  void EndHold();
  // Those not released, ascending. Any thread.
  std::vector<Live> LiveSegments() const;

  // Ready, live and free ones.
  int64_t segment_count() const;

 private:
  enum class Action { kStop, kCreate, kReuse, kRemove, kArchive };
  struct Task {
    Action action = Action::kStop;
    uint64_t from = 0;  // kReuse, kRemove
    uint64_t to = 0;    // kCreate, kReuse
    Live released;      // kArchive
  };

  void Work();
  absl::Status Perform(const Task& task);
  Task NextTask() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Finish(const Task& task, const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool WantsSegment() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  bool HasTask() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  bool MayArchive() const ABSL_SHARED_LOCKS_REQUIRED(mutex_);
  void WaitForTask() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FreeReleased() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Free(const Live& segment) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Whether waiting for a segment is of no use, and why.
  bool IsHopeless() const ABSL_SHARED_LOCKS_REQUIRED(mutex_) {
    return stopping_ || full_ || !failure_.ok();
  }
  absl::Status WhyHopeless(uint64_t bytes) const ABSL_SHARED_LOCKS_REQUIRED(mutex_);

  TrailDevice* const device_;
  const Archive archive_;
  const uint64_t segment_bytes_;
  // What a ready segment adds to the room for sure: the end of the segment before it may stay
  // unused because the next batch is longer.
  const uint64_t assured_bytes_;
  // Below this a segment is made ready in the background. Little used volumes need one only.
  const uint64_t wanted_room_bytes_;

  std::atomic<uint64_t> room_bytes_ = 0;

  mutable Mutex mutex_;  // not held during file operations
  CondVar changed_;      // anything that the thread, or a waiting caller, looks at
  std::deque<uint64_t> ready_ ABSL_GUARDED_BY(mutex_);
  std::deque<Live> live_ ABSL_GUARDED_BY(mutex_);
  std::deque<Live> released_ ABSL_GUARDED_BY(mutex_);
  std::deque<uint64_t> free_ ABSL_GUARDED_BY(mutex_);
  std::deque<uint64_t> useless_ ABSL_GUARDED_BY(mutex_);
  uint64_t highest_number_ ABSL_GUARDED_BY(mutex_) = 0;
  std::multiset<uint64_t> awaited_room_bytes_ ABSL_GUARDED_BY(mutex_);  // one per waiting caller
  Lsn released_lsn_ ABSL_GUARDED_BY(mutex_) = 0;
  int holds_ ABSL_GUARDED_BY(mutex_) = 0;
  int64_t archive_retry_us_ ABSL_GUARDED_BY(mutex_) = 0;  // monotonic, after a failure; 0: none
  bool take_waits_ ABSL_GUARDED_BY(mutex_) = false;
  bool full_ ABSL_GUARDED_BY(mutex_) = false;  // the last Create got 43; until asked again
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  std::atomic<bool> failed_ = false;  // failure_ is set: asked without the mutex
  std::thread thread_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_SEGMENT_POOL_H_
