// How locks that are released pass to those that wait.
#include <algorithm>
#include <utility>

#include "server/base/check.h"
#include "server/keyseq/lock_state.h"

namespace quire {

void LockState::Grant(LockWait& wait) {
  granted_.push_back({wait.id, wait.owner});
  const std::unique_ptr<LockWait> taken = TakeOut(wait);
  if (taken->read) RemoveOwnerIfIdle(taken->owner);  // all others hold something from here on
}

void LockState::GrantFile(LockWait& wait) {
  FileLocks& file = *wait.file;
  const uint64_t owner = wait.owner;
  const int64_t since_us = wait.since_us;
  Grant(wait);
  HoldFile(file, owner, since_us);
}

// After `owner` got a lock: what else it waits for and has by it.
void LockState::GrantOwn(FileLocks& file, uint64_t owner) {
  for (const WaiterId waiter : WaitsIn(file, owner)) {
    LockWait& wait = *waits_.at(waiter);
    RecordLock* waited_at = wait.record;
    if (file.owner == owner) {
      Grant(wait);
      if (waited_at != nullptr) RemoveIfIdle(file, *waited_at);
    } else if (wait.kind != LockKind::kFile) {
      const RecordLock* record = file.Find(wait.key);
      if (record != nullptr && record->holder == owner) Grant(wait);
    }
  }
}

// Without a file lock: the record, which nobody may hold, goes to the next.
void LockState::ServeRecord(FileLocks& file, RecordLock& record) {
  while (record.holder == 0 && record.queue != nullptr) {
    LockWait& next = *record.queue->all.begin()->second;
    if (next.read) {
      Grant(next);
      continue;
    }
    const uint64_t owner = next.owner;
    const LockKind kind = next.kind;
    const int64_t since_us = next.since_us;
    Grant(next);
    TakeRecord(file, record, owner, kind, since_us);
    GrantOwn(file, owner);
  }
  RemoveIfIdle(file, record);
}

// A record request or read at the gate, with no file lock held: to its record, or granted.
void LockState::PassGate(LockWait& wait) {
  FileLocks& file = *wait.file;
  const uint64_t owner = wait.owner;
  const auto found = file.records.find(wait.key);
  if (found != file.records.end() && found->second.holder != owner) {
    Unqueue(wait);
    Enqueue(wait, &found->second);
  } else if (wait.read || found != file.records.end()) {
    Grant(wait);
  } else {
    const std::string key = wait.key;
    const LockKind kind = wait.kind;
    const int64_t since_us = wait.since_us;
    Grant(wait);
    HoldRecord(file, owner, key, kind, since_us);
    GrantOwn(file, owner);
  }
}

// The owner's requests at the gate that no file request of another holds up (any more).
void LockState::PassOwn(FileLocks& file, uint64_t owner) {
  for (const WaiterId waiter : WaitsIn(file, owner)) {
    const auto found = waits_.find(waiter);
    if (found == waits_.end()) continue;  // granted along with the one before
    LockWait& wait = *found->second;
    if (wait.record != nullptr || wait.kind == LockKind::kFile) continue;
    if (wait.read || !file.IsHeldUpAtGate(owner, wait.place)) PassGate(wait);
  }
}

void LockState::SettleGate(FileLocks& file, bool all) {
  while (file.owner == 0 && !file.gate.all.empty() && SettleGateOnce(file, all)) {
  }
}

// True when somebody passed, so that it is to be looked again.
bool LockState::SettleGateOnce(FileLocks& file, bool all) {
  if (file.holders.size() == 1) {
    for (const WaiterId waiter : WaitsIn(file, file.holders.begin()->first)) {
      LockWait& wait = *waits_.at(waiter);
      if (wait.kind != LockKind::kFile) continue;
      GrantFile(wait);
      return false;
    }
  }
  bool passed = false;
  uint64_t place = 0;
  for (auto next = file.gate.all.begin(); next != file.gate.all.end();
       next = file.gate.all.upper_bound(place)) {
    LockWait& wait = *next->second;
    const uint64_t owner = wait.owner;
    place = wait.place;
    if (wait.kind == LockKind::kFile) {
      if (file.holders.empty()) {
        GrantFile(wait);
        return false;
      }
      const size_t before = file.gate.all.size();
      PassOwn(file, owner);
      if (file.gate.all.size() != before) passed = true;
      // Behind it stand only those that it holds up, unless the file lock kept everybody there.
      if (!all) break;
    } else if (wait.read || !file.IsHeldUpAtGate(owner, place)) {
      PassGate(wait);
      PassOwn(file, owner);
      passed = true;
    }
  }
  return passed;
}

void LockState::ForgetGivenUp(FileLocks& file) {
  given_up_ -= static_cast<uint32_t>(file.given_up.size());
  file.given_up.clear();
}

// Releases what `owner` holds in the file, and gives it on.
void LockState::ReleaseIn(FileLocks& file, uint64_t owner) {
  std::vector<RecordLock*> records;
  const bool had_file = file.owner == owner;
  if (had_file) {
    file.owner = 0;
    ForgetGivenUp(file);
    CountReleased(file, owner, 1);
    for (auto& [key, record] : file.records) records.push_back(&record);
  } else if (const auto held = file.holders.find(owner); held != file.holders.end()) {
    records.assign(held->second.begin(), held->second.end());
    for (RecordLock* record : records) DropRecord(file, *record);
  }
  const auto arrival = [](const RecordLock* record) {
    return record->queue == nullptr ? 0 : record->queue->all.begin()->second->ticket;
  };
  std::sort(records.begin(), records.end(),
            [&](const RecordLock* a, const RecordLock* b) { return arrival(a) < arrival(b); });
  for (RecordLock* record : records) ServeRecord(file, *record);
  SettleGate(file, had_file);
}

void LockState::ReleaseRecord(FileLocks& file, uint64_t owner, std::string_view key) {
  const auto found = file.records.find(key);
  if (found == file.records.end() || found->second.holder != owner) return;
  DropRecord(file, found->second);
  ServeRecord(file, found->second);
  SettleGate(file, /*all=*/false);
  RemoveIfIdle(file);
  RemoveOwnerIfIdle(owner);
}

void LockState::ReleaseFile(FileLocks& file, uint64_t owner) {
  ReleaseIn(file, owner);
  RemoveIfIdle(file);
  RemoveOwnerIfIdle(owner);
}

void LockState::TakeBackFile(FileLocks& file, uint64_t owner) {
  if (file.owner != owner) return;
  // While the file was locked nobody could get the records; those who wait for one still do.
  for (const GivenUpLock& lock : file.given_up) {
    const auto [entry, made] = file.records.try_emplace(lock.key);
    entry->second.key = entry->first;
    TakeRecord(file, entry->second, owner, lock.kind, lock.since_us);
  }
  ReleaseIn(file, owner);
  RemoveIfIdle(file);
  RemoveOwnerIfIdle(owner);
}

void LockState::ReleaseOwner(uint64_t owner) {
  std::erase_if(granted_, [owner](const Granted& granted) { return granted.owner == owner; });
  const auto found = owners_.find(owner);
  if (found == owners_.end()) return;
  LockOwner& entry = *found->second;
  // First the waits, so that none of them is granted by what is released.
  std::set<FileId> files = entry.files;
  while (!entry.waits.empty()) {
    LockWait& wait = *entry.waits.back();
    FileLocks& file = *wait.file;
    RecordLock* record = wait.record;
    files.insert(file.id);
    TakeOut(wait);
    if (record != nullptr) RemoveIfIdle(file, *record);
  }
  for (const FileId id : files) {
    FileLocks& file = *FindFile(id);
    ReleaseIn(file, owner);
    RemoveIfIdle(file);
  }
  RemoveOwnerIfIdle(owner);
}

void LockState::CancelWait(WaiterId waiter) {
  const auto found = waits_.find(waiter);
  if (found == waits_.end()) return;
  const std::unique_ptr<LockWait> wait = TakeOut(*found->second);
  FileLocks& file = *wait->file;
  if (wait->record != nullptr) RemoveIfIdle(file, *wait->record);
  SettleGate(file, /*all=*/false);
  RemoveIfIdle(file);
  RemoveOwnerIfIdle(wait->owner);
}

std::vector<WaiterId> LockState::TakeGranted() {
  std::vector<WaiterId> taken;
  taken.reserve(granted_.size());
  for (const Granted& granted : granted_) taken.push_back(granted.waiter);
  granted_.clear();
  return taken;
}

}  // namespace quire
