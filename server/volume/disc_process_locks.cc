// Requests that wait for locks: kept aside, so that nobody else waits, and executed again when the
// wait has ended.

#include <new>
#include <utility>
#include <vector>

#include "server/volume/disc_process.h"

namespace quire {

void DiscProcess::KeepWaiting(std::unique_ptr<Request> request) {
  const WaiterId waiter = request->lock_wait.waiter;
  try {
    std::unique_ptr<Request>& place = waiting_[waiter];
    if (const uint64_t key = request->order_key(); key != 0) waiting_keys_[key] = waiter;
    place = std::move(request);
  } catch (const std::bad_alloc&) {
    waiting_.erase(waiter);
    state_->locks.CancelWait(waiter);
    EndWait(std::move(request), LockWaitEnd::kGivenUp);
  }
}

void DiscProcess::EndWait(std::unique_ptr<Request> request, LockWaitEnd end) {
  request->lock_wait.waiter = 0;
  request->lock_wait.end = end;
  resumable_.PushBack(std::move(request));
}

void DiscProcess::EndLockWait(uint64_t order_key, LockWaitEnd end) {
  const auto found = waiting_keys_.find(order_key);
  if (found == waiting_keys_.end()) return;
  auto node = waiting_.extract(found->second);
  // The key stays taken until the request has run: what came behind it must not pass it.
  if (node.empty()) return;
  state_->locks.CancelWait(node.key());
  EndWait(std::move(node.mapped()), end);
  TakeGrants();
}

void DiscProcess::TakeGrants() {
  for (const WaiterId waiter : state_->locks.TakeGranted()) {
    auto node = waiting_.extract(waiter);
    if (!node.empty()) EndWait(std::move(node.mapped()), LockWaitEnd::kGranted);
  }
}

void DiscProcess::EndWaits(const std::vector<WaiterId>& waiters, LockWaitEnd end) {
  for (const WaiterId waiter : waiters) {
    auto node = waiting_.extract(waiter);
    if (node.empty()) continue;  // granted by the end of one before
    state_->locks.CancelWait(waiter);
    EndWait(std::move(node.mapped()), end);
    TakeGrants();
  }
  ResumeWaiting();
}

void DiscProcess::EndTimedOutWaits() {
  if (waiting_.empty()) return;
  const int64_t now = state_->options.clock->MonotonicMicros();
  std::vector<WaiterId> over;
  for (const auto& [waiter, request] : waiting_) {
    if (request->lock_wait.deadline_us <= now) over.push_back(waiter);
  }
  EndWaits(over, LockWaitEnd::kTimedOut);
}

void DiscProcess::EndAllWaits() {
  no_waits_ = true;
  std::vector<WaiterId> all;
  for (const auto& [waiter, request] : waiting_) all.push_back(waiter);
  EndWaits(all, LockWaitEnd::kGivenUp);
}

void DiscProcess::ResumeWaiting() {
  // Whoever is resumed may release locks in its turn; the loop below sees to those it frees.
  if (resuming_) return;
  resuming_ = true;
  bool resumed = false;
  for (;;) {
    TakeGrants();
    if (resumable_.empty()) break;
    std::unique_ptr<Request> request = resumable_.PopFront();
    if (const uint64_t key = request->order_key(); key != 0) {
      waiting_keys_.erase(key);
      resumed = true;
    }
    if (MayRun(*request)) {
      Run(std::move(request));
      continue;
    }
    // Before those of its stream that came behind it.
    if (request->order_key() != 0) parked_keys_.insert(request->order_key());
    parked_.PushFront(std::move(request));
  }
  resuming_ = false;
  retry_parked_ = retry_parked_ || resumed;
}

}  // namespace quire
