#include "server/volume/record_locks.h"

#include <utility>

#include "absl/strings/escaping.h"
#include "quire/limits.h"
#include "quire/text.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

std::string_view WhatOf(LockKind kind) {
  switch (kind) {
    case LockKind::kFile:
      return "the file";
    case LockKind::kGeneric:
      return "a group of records";
    case LockKind::kRecord:
      break;
  }
  return "a record";
}

absl::Status StatusOfEnd(LockWaitEnd end, const FileName& name) {
  switch (end) {
    case LockWaitEnd::kTimedOut:
      return volume_error::LockTimedOut(name, "a lock");
    case LockWaitEnd::kCancelled:
      return volume_error::Cancelled();
    case LockWaitEnd::kGivenUp:
      return volume_error::WaitGivenUp();
    case LockWaitEnd::kGranted:
    case LockWaitEnd::kNone:
      break;
  }
  return absl::OkStatus();
}

}  // namespace

RecordLocks::RecordLocks(VolumeState& state, DiscProcess& process, Request& request,
                         OpenEntry& open, uint32_t timeout_ms, bool may_wait)
    : state_(state),
      process_(process),
      request_(request),
      open_(open),
      timeout_ms_(timeout_ms == 0 ? kLockTimeoutMs : timeout_ms),
      may_wait_(may_wait) {}

void RecordLocks::Count(Counter counter, int64_t amount) {
  open_.Count(counter, amount);
}

std::string_view RecordLocks::LockKey(std::string_view key) const {
  const uint32_t length = open_.entry->label().attributes.lock_length;
  return length == 0 ? key : key.substr(0, length);
}

LockKind RecordLocks::RecordKind() const {
  const FileAttributes& attributes = open_.entry->label().attributes;
  const bool whole = attributes.lock_length == 0 || attributes.lock_length == attributes.key_length;
  return whole ? LockKind::kRecord : LockKind::kGeneric;
}

LockRequest RecordLocks::RequestFor(LockKind kind, std::string_view lock_key) const {
  LockRequest request;
  request.file = open_.entry->id();
  request.owner = open_.id;
  request.kind = kind;
  request.key = lock_key;
  request.now_us = state_.NowMicros();
  return request;
}

absl::Status RecordLocks::FinishWait() {
  LockWait& wait = request_.lock_wait;
  if (wait.end == LockWaitEnd::kNone) return absl::OkStatus();
  --open_.waits;
  const int64_t waited = state_.options.clock->MonotonicMicros() - wait.since_us;
  Count(Counter::kLockwaitTime, waited);
  open_.counters.Raise(Counter::kMaxLockwaitTime, waited);
  open_.entry->counters.Raise(Counter::kMaxLockwaitTime, waited);
  granted_ = wait.end == LockWaitEnd::kGranted;
  granted_key_ = std::move(wait.key);
  granted_holds_ = granted_ && wait.holds;
  if (wait.end == LockWaitEnd::kTimedOut) Count(Counter::kLockTimeouts);
  absl::Status status = StatusOfEnd(wait.end, open_.name);
  wait = LockWait();
  return status;
}

LockStep RecordLocks::Bounce(LockKind kind) {
  Count(Counter::kLockBounces);
  status_ = volume_error::Locked(open_.name, WhatOf(kind));
  return LockStep::kRefused;
}

LockStep RecordLocks::Answered(LockAnswer answer, LockKind kind, std::string_view lock_key,
                               WaiterId waiter, bool holds) {
  switch (answer) {
    case LockAnswer::kGranted:
      return LockStep::kGo;
    case LockAnswer::kLocked:
      return Bounce(kind);
    case LockAnswer::kCycle:
      Count(Counter::kLockTimeouts);
      status_ = volume_error::LockCycle(CycleText());
      return LockStep::kRefused;
    case LockAnswer::kOpenLimit:
      status_ = volume_error::TooManyLocks(state_.locks.limits().per_open);
      return LockStep::kRefused;
    case LockAnswer::kVolumeLimit:
      status_ = volume_error::LockTableFull(state_.locks.limits().per_volume);
      return LockStep::kRefused;
    case LockAnswer::kWaits:
      break;
  }
  if (!may_wait_ || !process_.MayWait()) {
    state_.locks.CancelWait(waiter);
    status_ = volume_error::WaitGivenUp();
    return LockStep::kRefused;
  }
  ++open_.waits;
  Count(Counter::kRequestsBlocked);
  state_.disc.Add(Counter::kRequestsBlocked);
  LockWait& wait = request_.lock_wait;
  wait.waiter = waiter;
  wait.since_us = state_.options.clock->MonotonicMicros();
  wait.deadline_us = wait.since_us + int64_t{timeout_ms_} * 1000;
  wait.key.assign(lock_key);
  wait.holds = holds;
  wait.end = LockWaitEnd::kNone;
  return LockStep::kWait;
}

LockStep RecordLocks::Read(std::string_view key, LockMode mode, ErrorNumber* warning) {
  const FileId file = open_.entry->id();
  if (!state_.locks.HasLocks(file)) return LockStep::kGo;
  const std::string_view lock_key = LockKey(key);
  // Its turn came: whoever is next in the queue has the lock already.
  if (granted_ && !granted_holds_ && granted_key_ == lock_key) return LockStep::kGo;
  if (!state_.locks.LockedByOther(file, open_.id, lock_key)) return LockStep::kGo;
  switch (mode) {
    case LockMode::kReadThrough:
    case LockMode::kReadThroughReject:
      return LockStep::kGo;
    case LockMode::kReadWarn:
    case LockMode::kReadWarnReject:
      *warning = ErrorNumber::kReadThroughLock;
      return LockStep::kGo;
    case LockMode::kReject:
      return Bounce(RecordKind());
    case LockMode::kNormal:
      break;
  }
  const WaiterId waiter = process_.NewWaiter();
  return Answered(state_.locks.AwaitRead(RequestFor(RecordKind(), lock_key), waiter), RecordKind(),
                  lock_key, waiter, /*holds=*/false);
}

bool RecordLocks::Passes(std::string_view key, LockMode mode) const {
  return (mode != LockMode::kNormal && mode != LockMode::kReject) ||
         !state_.locks.LockedByOther(open_.entry->id(), open_.id, LockKey(key));
}

LockStep RecordLocks::Acquire(LockKind kind, std::string_view lock_key) {
  const WaiterId waiter = LockCallsWait(mode()) ? process_.NewWaiter() : 0;
  return Answered(state_.locks.Acquire(RequestFor(kind, lock_key), waiter), kind, lock_key, waiter,
                  /*holds=*/true);
}

LockStep RecordLocks::LockRecord(std::string_view key) {
  const std::string_view lock_key = LockKey(key);
  if (granted_holds_ && granted_key_ == lock_key) {
    granted_holds_ = false;  // it is the one: Finish keeps it
    return LockStep::kGo;
  }
  Finish();
  return Acquire(RecordKind(), lock_key);
}

LockStep RecordLocks::LockFile() {
  granted_holds_ = false;
  return Acquire(LockKind::kFile, {});
}

LockStep RecordLocks::Change(std::string_view key) {
  const FileId file = open_.entry->id();
  if (!state_.locks.HasLocks(file)) return LockStep::kGo;
  return state_.locks.LockedByOther(file, open_.id, LockKey(key)) ? Bounce(RecordKind())
                                                                  : LockStep::kGo;
}

void RecordLocks::UnlockRecord(std::string_view key) {
  if (RecordKind() == LockKind::kGeneric) return;
  state_.locks.ReleaseRecord(open_.entry->id(), open_.id, key);
}

void RecordLocks::Finish() {
  if (!std::exchange(granted_holds_, false)) return;
  state_.locks.ReleaseRecord(open_.entry->id(), open_.id, granted_key_);
}

std::string RecordLocks::NameOf(uint64_t owner) const {
  const OpenEntry* const open = state_.opens.Find(owner);
  return open == nullptr ? StrCat("open ", owner)
                         : StrCat("open ", owner, " (", open->client_name, ")");
}

std::string RecordLocks::CycleText() const {
  std::string text;
  for (const CycleStep& step : state_.locks.last_cycle()) {
    const FileEntry* const file = state_.catalog->FindId(step.file);
    const std::string key = absl::CHexEscape(ToAbsl(step.key));
    if (!text.empty()) StrAppend(&text, ", ");
    StrAppend(&text, NameOf(step.owner), " waits for ", WhatOf(step.kind),
              key.empty() ? "" : " \"" + key + "\"",
              file == nullptr ? "" : " of " + file->label().name.ToString(),
              step.held ? ", locked by " : ", asked for before by ", NameOf(step.waits_for));
  }
  return text;
}

}  // namespace quire
