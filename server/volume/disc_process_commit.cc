// The committer: a role that one thread at a time holds. It writes the oldest sealed batch, seals
// the next one where nobody else can, and gives the role back before replies run.
//
// The committer thread has it while requests keep coming. A thread that submitted to an idle volume
// and blocks for the answer takes it for the one batch it just sealed: a lone durable write then
// wakes no other thread (R-D18). The helper runs what others leave to it.

#include <deque>
#include <new>
#include <utility>

#include "server/base/activity.h"
#include "server/base/check.h"
#include "server/volume/disc_process.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr size_t kSpareBatches = 4;

// Of the disc process's own threads and of a caller that is committing: what they submit comes from
// inside a reply, and others wait for them.
thread_local bool has_own_work = false;

}  // namespace

bool DiscProcess::MayCommit() {
  return !has_own_work;
}

void DiscProcess::CommitterLoop() {
  has_own_work = true;
  const ActivityScope activity(Activity::kQueue);
  for (;;) {
    {
      MutexLock lock(&mutex_);
      while ((sealed_.empty() || committing_) && !ending_) committer_wakes_.Wait(&mutex_);
      if (sealed_.empty()) return;
      committing_ = true;
    }
    RequestList replies = CommitOldest();
    // The next write goes first: replies can run beside it.
    if (sealed_count_.load(std::memory_order_acquire) > 0) {
      ReplyLater(std::move(replies));
    } else {
      RunReplies(std::move(replies));
    }
  }
}

void DiscProcess::CommitAsCaller() noexcept {
  has_own_work = true;
  RunReplies(CommitOldest());
  has_own_work = false;
  MutexLock lock(&mutex_);
  --committing_callers_;
  progress_.SignalAll();
}

RequestList DiscProcess::CommitOldest() {
  SealedBatch* batch = nullptr;
  {
    MutexLock lock(&mutex_);
    batch = &sealed_.front();  // stays at its place while others are pushed behind it
  }
  if (Latched()) return RejectSealed();
  const uint64_t bytes = batch->records->disc_bytes();
  const absl::StatusOr<Lsn> lsn = Append(*batch->records);
  if (!lsn.ok()) {
    Latch(lsn.status());
    return RejectSealed();
  }
  QUIRE_CHECK(*lsn == batch->last_lsn);
  sealed_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  return FinishBatch();
}

absl::StatusOr<Lsn> DiscProcess::Append(TrailBatch& records) {
  const ActivityScope activity(Activity::kTrail);
  try {
    return state_->trail->Append(records);
  } catch (const std::bad_alloc&) {
    return volume_error::OutOfMemoryInChange();
  }
}

RequestList DiscProcess::FinishBatch() {
  SealedBatch done;
  bool have_role = false;
  {
    MutexLock lock(&mutex_);
    done = std::move(sealed_.front());
    sealed_.pop_front();
    durable_batch_.store(done.number, std::memory_order_release);
    sealed_count_.fetch_sub(1, std::memory_order_release);
    progress_.SignalAll();
    if (busy_) {
      inbox_.batch_done = true;  // the holder seals the next one
    } else {
      busy_ = true;
      have_role = true;
    }
  }
  done.records->Clear();
  if (have_role) SealWhileIdle();
  MutexLock lock(&mutex_);
  if (spare_records_.size() < kSpareBatches) spare_records_.push_back(std::move(done.records));
  GiveCommitterBack();
  return std::move(done.waiters);
}

void DiscProcess::GiveCommitterBack() {
  committing_ = false;
  if (!sealed_.empty()) committer_wakes_.Signal();
}

void DiscProcess::SealWhileIdle() {
  if (!Latched()) MaybeSeal();
  const bool waiting = !parked_.empty();
  MutexLock lock(&mutex_);
  if (inbox_.empty() && !waiting) {
    busy_ = false;
    progress_.SignalAll();
    return;
  }
  inbox_.batch_done = true;
  HandRole();
}

RequestList DiscProcess::RejectSealed() {
  std::deque<SealedBatch> rejected;
  {
    MutexLock lock(&mutex_);
    rejected.swap(sealed_);
    sealed_count_.store(0, std::memory_order_release);
    GiveCommitterBack();
  }
  const absl::Status unknown = volume_error::OutcomeUnknown(state_->options.name, LatchStatus());
  RequestList replies;
  for (SealedBatch& batch : rejected) {
    while (!batch.waiters.empty()) {
      std::unique_ptr<Request> request = batch.waiters.PopFront();
      request->outcome = unknown;
      replies.PushBack(std::move(request));
    }
  }
  return replies;
}

bool DiscProcess::TakeDueRetry() {
  if (retry_at_us_ == 0 || state_->options.clock->MonotonicMicros() < retry_at_us_) return false;
  retry_at_us_ = 0;
  return inbox_.retry = true;
}

void DiscProcess::AwaitWork() {
  while (replies_.empty() && !role_handed_ && !ending_) {
    if (retry_at_us_ == 0) {
      helper_wakes_.Wait(&mutex_);
    } else if (!TakeDueRetry()) {
      helper_wakes_.WaitForMicros(&mutex_, retry_at_us_ - state_->options.clock->MonotonicMicros());
    } else if (!busy_) {  // else whoever has the role sees it
      busy_ = role_handed_ = true;
    }
  }
}

void DiscProcess::HelperLoop() {
  has_own_work = true;
  const ActivityScope activity(Activity::kQueue);
  for (;;) {
    RequestList replies;
    bool run_role = false;
    {
      MutexLock lock(&mutex_);
      AwaitWork();
      if (replies_.empty() && !role_handed_) return;
      replies = std::move(replies_);
      run_role = std::exchange(role_handed_, false);
    }
    RunReplies(std::move(replies));
    if (run_role) RunRole(/*caller_waits=*/false);
  }
}

void DiscProcess::RunReplies(RequestList replies) {
  const ActivityScope activity(Activity::kOutside);
  while (!replies.empty()) {
    const std::unique_ptr<Request> request = replies.PopFront();
    request->Reply(request->outcome, /*executed=*/true);
  }
}

void DiscProcess::ReplyLater(RequestList replies) {
  if (replies.empty()) return;
  MutexLock lock(&mutex_);
  replies_.Append(std::move(replies));
  helper_wakes_.Signal();
}

absl::Status DiscProcess::WaitDurable(uint64_t batch) {
  MutexLock lock(&mutex_);
  while (durable_batch_.load(std::memory_order_acquire) < batch && !Latched()) {
    progress_.Wait(&mutex_);
  }
  return Latched() ? latch_status_ : absl::OkStatus();
}

}  // namespace quire
