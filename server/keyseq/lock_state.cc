// Holding, queueing, and the questions about both; lock_grant.cc has what releases set off.
#include "server/keyseq/lock_state.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "server/base/check.h"

namespace quire {

bool FileLocks::IsHeldUpAtGate(uint64_t open, uint64_t place) const {
  if (IsPastGate(open)) return false;
  for (auto next = gate.blocking.lower_bound(place); next != gate.blocking.begin();) {
    --next;
    if (next->second->owner != open) return true;
  }
  return false;
}

const RecordLock* FileLocks::Find(std::string_view key) const {
  const auto found = records.find(key);
  return found == records.end() ? nullptr : &found->second;
}

FileLocks* LockState::FindFile(FileId file) const {
  const auto found = files_.find(file);
  return found == files_.end() ? nullptr : found->second.get();
}

FileLocks& LockState::FileOf(FileId file) {
  std::unique_ptr<FileLocks>& locks = files_[file];
  if (locks == nullptr) {
    locks = std::make_unique<FileLocks>();
    locks->id = file;
  }
  return *locks;
}

const LockOwner* LockState::FindOwner(uint64_t owner) const {
  const auto found = owners_.find(owner);
  return found == owners_.end() ? nullptr : found->second.get();
}

bool LockState::MayHoldFile(const FileLocks* file, uint64_t owner) {
  if (file == nullptr) return true;
  if (file->owner != 0) return file->owner == owner;
  // No holder at all and yet a request at the gate: that does not stay so.
  return file->holders.empty() || (file->holders.size() == 1 && file->holders.contains(owner));
}

bool LockState::MayHoldRecord(const FileLocks* file, uint64_t owner, std::string_view key) {
  if (file == nullptr) return true;
  if (file->owner != 0) return file->owner == owner;
  const RecordLock* record = file->Find(key);
  if (record != nullptr) return record->holder == owner;
  return !file->IsHeldUpAtGate(owner, std::numeric_limits<uint64_t>::max());
}

bool LockState::MayRead(const FileLocks* file, uint64_t owner, std::string_view key) {
  if (file == nullptr) return true;
  if (file->owner != 0) return file->owner == owner;
  const RecordLock* record = file->Find(key);
  return record == nullptr || record->holder == owner;
}

void LockState::CountHeld(FileLocks& file, uint64_t owner) {
  std::unique_ptr<LockOwner>& entry = owners_[owner];
  if (entry == nullptr) entry = std::make_unique<LockOwner>();
  ++entry->held;
  entry->files.insert(file.id);
  ++total_;
}

void LockState::CountReleased(FileLocks& file, uint64_t owner, uint32_t locks) {
  LockOwner& entry = *owners_.at(owner);
  entry.held -= locks;
  total_ -= locks;
  if (file.owner != owner && !file.holders.contains(owner)) entry.files.erase(file.id);
}

void LockState::TakeRecord(FileLocks& file, RecordLock& record, uint64_t owner, LockKind kind,
                           int64_t since_us) {
  QUIRE_CHECK(record.holder == 0);
  record.holder = owner;
  record.kind = kind;
  record.since_us = since_us;
  file.holders[owner].insert(&record);
  CountHeld(file, owner);
}

void LockState::DropRecord(FileLocks& file, RecordLock& record) {
  const uint64_t owner = std::exchange(record.holder, 0);
  const auto held = file.holders.find(owner);
  held->second.erase(&record);
  if (held->second.empty()) file.holders.erase(held);
  CountReleased(file, owner, 1);
}

void LockState::HoldRecord(FileLocks& file, uint64_t owner, std::string_view key, LockKind kind,
                           int64_t now_us) {
  const auto [entry, made] = file.records.try_emplace(std::string(key));
  entry->second.key = entry->first;
  TakeRecord(file, entry->second, owner, kind, now_us);
}

void LockState::HoldFile(FileLocks& file, uint64_t owner, int64_t now_us) {
  if (const auto held = file.holders.find(owner); held != file.holders.end()) {
    const absl::flat_hash_set<RecordLock*> records = std::move(held->second);
    file.holders.erase(held);
    CountReleased(file, owner, static_cast<uint32_t>(records.size()));
    for (RecordLock* record : records) {
      record->holder = 0;
      file.given_up.push_back({std::string(record->key), record->kind, record->since_us});
      RemoveIfIdle(file, *record);
    }
    given_up_ += static_cast<uint32_t>(records.size());
  }
  file.owner = owner;
  file.since_us = now_us;
  CountHeld(file, owner);
  GrantOwn(file, owner);
}

void LockState::RemoveIfIdle(FileLocks& file, RecordLock& record) {
  if (record.holder == 0 && record.queue == nullptr)
    file.records.erase(file.records.find(record.key));
}

void LockState::RemoveIfIdle(FileLocks& file) {
  if (file.IsIdle()) files_.erase(FileId{file.id});
}

void LockState::RemoveOwnerIfIdle(uint64_t owner) {
  const auto found = owners_.find(owner);
  if (found == owners_.end()) return;
  if (found->second->held == 0 && found->second->waits.empty()) owners_.erase(found);
}

void LockState::Enqueue(LockWait& wait, RecordLock* record) {
  wait.record = record;
  wait.place = next_place_++;
  bool blocking = wait.kind == LockKind::kFile;
  LockQueue* queue = &wait.file->gate;
  if (record != nullptr) {
    if (record->queue == nullptr) record->queue = std::make_unique<LockQueue>();
    queue = record->queue.get();
    blocking = !wait.read;
    if (blocking) ++wait.file->queued[wait.owner];
  }
  queue->all.emplace(wait.place, &wait);
  if (blocking) queue->blocking.emplace(wait.place, &wait);
}

void LockState::Unqueue(LockWait& wait) {
  LockQueue& queue = wait.record == nullptr ? wait.file->gate : *wait.record->queue;
  queue.all.erase(wait.place);
  const bool blocking = queue.blocking.erase(wait.place) != 0;
  if (wait.record == nullptr) return;
  if (blocking) {
    const auto queued = wait.file->queued.find(wait.owner);
    if (--queued->second == 0) wait.file->queued.erase(queued);
  }
  if (queue.all.empty()) wait.record->queue = nullptr;
}

std::unique_ptr<LockWait> LockState::TakeOut(LockWait& wait) {
  Unqueue(wait);
  std::erase(owners_.at(wait.owner)->waits, &wait);
  --total_;
  const auto found = waits_.find(wait.id);
  std::unique_ptr<LockWait> taken = std::move(found->second);
  waits_.erase(found);
  return taken;
}

const LockWait& LockState::AddWait(const LockRequest& request, bool read, WaiterId waiter) {
  QUIRE_CHECK(waiter != 0 && !waits_.contains(waiter));
  FileLocks& file = FileOf(request.file);
  auto made = std::make_unique<LockWait>();
  LockWait& wait = *made;
  wait.id = waiter;
  wait.owner = request.owner;
  wait.kind = request.kind;
  wait.read = read;
  wait.key.assign(request.key);
  wait.since_us = request.now_us;
  wait.ticket = next_place_++;
  wait.file = &file;
  waits_.emplace(waiter, std::move(made));
  std::unique_ptr<LockOwner>& owner = owners_[request.owner];
  if (owner == nullptr) owner = std::make_unique<LockOwner>();
  owner->waits.push_back(&wait);
  ++total_;

  const bool at_gate =
      request.kind == LockKind::kFile || file.owner != 0 ||
      (!read && file.IsHeldUpAtGate(request.owner, std::numeric_limits<uint64_t>::max()));
  RecordLock* record = nullptr;
  if (!at_gate) {
    const auto found = file.records.find(request.key);
    QUIRE_CHECK(found != file.records.end());  // else it could have been had
    record = &found->second;
  }
  Enqueue(wait, record);
  return wait;
}

void LockState::WithdrawWait(WaiterId waiter) {
  LockWait& wait = *waits_.at(waiter);
  const uint64_t owner = wait.owner;
  TakeOut(wait);
  RemoveOwnerIfIdle(owner);
}

std::vector<WaiterId> LockState::WaitsIn(const FileLocks& file, uint64_t owner) const {
  std::vector<WaiterId> waits;
  const LockOwner* entry = FindOwner(owner);
  if (entry == nullptr) return waits;
  for (const LockWait* wait : entry->waits) {
    if (wait->file == &file) waits.push_back(wait->id);
  }
  return waits;
}

}  // namespace quire
