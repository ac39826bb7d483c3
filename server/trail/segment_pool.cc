#include "server/trail/segment_pool.h"

#include <algorithm>
#include <utility>

#include "quire/error.h"
#include "server/base/activity.h"
#include "server/base/check.h"
#include "server/base/clock.h"
#include "server/trail/errors.h"

namespace quire {

namespace {

// Between two tries to archive a segment. An archive that is away for long must not keep a core
// busy, and one that is back should not wait long: the trail grows meanwhile.
constexpr int64_t kArchiveRetryMicros = 1'000'000;

}  // namespace

SegmentPool::SegmentPool(TrailDevice* device, uint64_t segment_bytes, uint64_t max_batch_bytes,
                         Archive archive)
    : device_(device),
      archive_(std::move(archive)),
      segment_bytes_(segment_bytes),
      assured_bytes_(segment_bytes - max_batch_bytes + kTrailBlockBytes),
      wanted_room_bytes_(segment_bytes / 4 * 3) {
  QUIRE_CHECK(max_batch_bytes <= segment_bytes / 2);
}

SegmentPool::~SegmentPool() {
  {
    const MutexLock lock(&mutex_);
    stopping_ = true;
    changed_.SignalAll();
  }
  if (thread_.joinable()) thread_.join();
}

absl::StatusOr<uint64_t> SegmentPool::Start(Found found) {
  QUIRE_CHECK(!thread_.joinable());
  {
    const MutexLock lock(&mutex_);
    live_ = std::move(found.live);
    released_ = std::move(found.released);
    free_ = std::move(found.free);
    useless_ = std::move(found.useless);
    highest_number_ = found.highest_number;
    take_waits_ = true;  // or the thread would make a second one before the first counts whole
  }
  thread_ = std::thread([this] { Work(); });
  return Take(0);
}

absl::Status SegmentPool::AwaitRoom(uint64_t bytes) {
  if (room_bytes() >= bytes && !failed_.load(std::memory_order_relaxed)) return absl::OkStatus();
  const MutexLock lock(&mutex_);
  if (!failure_.ok()) return failure_;
  full_ = false;  // ask the disc again: somebody may have made room
  const auto awaited = awaited_room_bytes_.insert(bytes);
  while (room_bytes() < bytes && !IsHopeless()) {
    // Each time: Use takes without the lock, also of what the thread just made for this.
    changed_.SignalAll();
    changed_.Wait(&mutex_);
  }
  awaited_room_bytes_.erase(awaited);
  return room_bytes() >= bytes ? absl::OkStatus() : WhyHopeless(bytes);
}

void SegmentPool::Use(uint64_t bytes) {
  const uint64_t before = room_bytes_.fetch_sub(bytes, std::memory_order_acq_rel);
  if (before >= wanted_room_bytes_ && before - bytes < wanted_room_bytes_) {
    const MutexLock lock(&mutex_);
    changed_.SignalAll();
  }
}

absl::StatusOr<uint64_t> SegmentPool::Take(uint64_t left_bytes) {
  const MutexLock lock(&mutex_);
  if (ready_.empty()) full_ = false;
  take_waits_ = true;
  changed_.SignalAll();
  while (ready_.empty() && !IsHopeless()) changed_.Wait(&mutex_);
  take_waits_ = false;
  if (ready_.empty()) return WhyHopeless(segment_bytes_);
  const uint64_t number = ready_.front();
  ready_.pop_front();
  // The segment now counts whole, and what is left of the old one no more. The caller's batch did
  // not fit there, so the sum does not fall: what was promised stays.
  room_bytes_.fetch_add(segment_bytes_ - assured_bytes_ - left_bytes, std::memory_order_acq_rel);
  changed_.SignalAll();
  return number;
}

void SegmentPool::Retire(const Live& segment) {
  const MutexLock lock(&mutex_);
  live_.push_back(segment);
}

void SegmentPool::Release(Lsn lsn) {
  const MutexLock lock(&mutex_);
  released_lsn_ = std::max(released_lsn_, lsn);
  FreeReleased();
}

void SegmentPool::Hold() {
  const MutexLock lock(&mutex_);
  ++holds_;
}

void SegmentPool::EndHold() {
  const MutexLock lock(&mutex_);
  --holds_;
  FreeReleased();
}

std::vector<SegmentPool::Live> SegmentPool::LiveSegments() const {
  const MutexLock lock(&mutex_);
  return {live_.begin(), live_.end()};
}

void SegmentPool::FreeReleased() {
  while (holds_ == 0 && !live_.empty() && live_.front().last_lsn <= released_lsn_) {
    if (archive_.body != nullptr) {
      released_.push_back(live_.front());
    } else {
      Free(live_.front());
    }
    live_.pop_front();
  }
  changed_.SignalAll();
}

void SegmentPool::Free(const Live& segment) {
  (segment.bytes == segment_bytes_ ? free_ : useless_).push_back(segment.number);
}

int64_t SegmentPool::segment_count() const {
  const MutexLock lock(&mutex_);
  return static_cast<int64_t>(ready_.size() + live_.size() + released_.size() + free_.size() +
                              useless_.size());
}

absl::Status SegmentPool::WhyHopeless(uint64_t bytes) const {
  if (!failure_.ok()) return failure_;
  if (stopping_) return trail_error::Closing();
  return trail_error::NoRoom(bytes);
}

bool SegmentPool::WantsSegment() const {
  if (full_ && free_.empty()) return false;
  if (take_waits_) return ready_.empty();  // what is ready is about to count whole
  const uint64_t awaited = awaited_room_bytes_.empty() ? 0 : *awaited_room_bytes_.rbegin();
  return room_bytes() < std::max(wanted_room_bytes_, awaited);
}

bool SegmentPool::HasTask() const {
  if (stopping_) return true;
  if (!failure_.ok()) return false;
  return !useless_.empty() || free_.size() > kSpareSegments || WantsSegment() || MayArchive();
}

bool SegmentPool::MayArchive() const {
  return !released_.empty() && Clock::Real()->MonotonicMicros() >= archive_retry_us_;
}

SegmentPool::Task SegmentPool::NextTask() {
  Task task;
  if (stopping_) return task;
  // Before a segment is made anew, one that is done with is made free.
  if (MayArchive() && (free_.empty() || !WantsSegment())) {
    task.action = Action::kArchive;
    task.released = released_.front();
    released_.pop_front();
    return task;
  }
  if (WantsSegment()) {
    task.action = free_.empty() ? Action::kCreate : Action::kReuse;
    task.to = highest_number_ + 1;
  } else {
    task.action = Action::kRemove;
  }
  if (task.action != Action::kCreate) {
    const bool takes_useless = task.action == Action::kRemove && !useless_.empty();
    std::deque<uint64_t>& source = takes_useless ? useless_ : free_;
    task.from = source.front();
    source.pop_front();
  }
  return task;
}

absl::Status SegmentPool::Perform(const Task& task) {
  switch (task.action) {
    case Action::kCreate:
      return device_->Create(task.to, segment_bytes_);
    case Action::kReuse:
      return device_->Rename(task.from, task.to);
    case Action::kRemove:
      return device_->Remove(task.from);
    case Action::kArchive:
      return archive_.body->Add(*device_, task.released.number, task.released.used_bytes);
    case Action::kStop:
      break;
  }
  return absl::OkStatus();
}

void SegmentPool::Finish(const Task& task, const absl::Status& status) {
  if (task.action == Action::kArchive) {
    if (status.ok()) {
      Free(task.released);
    } else {
      released_.push_front(task.released);
      archive_retry_us_ = Clock::Real()->MonotonicMicros() + kArchiveRetryMicros;
    }
    return;
  }
  if (!status.ok()) {
    const bool is_full =
        task.action == Action::kCreate && NumberOf(status) == ErrorNumber::kNoDiscSpace;
    full_ = is_full;
    if (!is_full) failure_ = status;
    failed_ = !is_full;
    return;
  }
  if (task.action == Action::kRemove) {
    full_ = false;
    return;
  }
  highest_number_ = task.to;
  ready_.push_back(task.to);
  room_bytes_.fetch_add(assured_bytes_, std::memory_order_acq_rel);
}

void SegmentPool::WaitForTask() {
  const int64_t left_micros = archive_retry_us_ - Clock::Real()->MonotonicMicros();
  if (released_.empty() || left_micros <= 0) {
    changed_.Wait(&mutex_);
  } else {
    changed_.WaitForMicros(&mutex_, left_micros);
  }
}

void SegmentPool::Work() {
  const ActivityScope activity(Activity::kTrail);
  while (true) {
    Task task;
    {
      const MutexLock lock(&mutex_);
      while (!HasTask()) WaitForTask();
      task = NextTask();
    }
    if (task.action == Action::kStop) return;
    const absl::Status status = Perform(task);
    if (task.action == Action::kArchive && !status.ok() && archive_.report) archive_.report(status);
    const MutexLock lock(&mutex_);
    Finish(task, status);
    changed_.SignalAll();
  }
}

}  // namespace quire
