#include "server/keyseq/lock_table.h"

#include <utility>

#include "server/base/check.h"
#include "server/keyseq/lock_cycle.h"
#include "server/keyseq/lock_state.h"

namespace quire {

LockTable::LockTable(LockLimits limits) : limits_(limits), state_(std::make_unique<LockState>()) {}
LockTable::~LockTable() = default;

LockAnswer LockTable::CheckRoom(uint64_t owner) const {
  const LockOwner* entry = state_->FindOwner(owner);
  if (entry != nullptr && entry->held + entry->waits.size() >= limits_.per_open) {
    return LockAnswer::kOpenLimit;
  }
  return state_->total() + state_->given_up() < limits_.per_volume ? LockAnswer::kGranted
                                                                   : LockAnswer::kVolumeLimit;
}

LockAnswer LockTable::Acquire(const LockRequest& request, WaiterId waiter) {
  QUIRE_CHECK(request.owner != 0);
  const uint64_t owner = request.owner;
  const FileLocks* file = state_->FindFile(request.file);
  if (file != nullptr && file->owner == owner) return LockAnswer::kGranted;
  if (request.kind == LockKind::kFile) {
    if (!LockState::MayHoldFile(file, owner)) return Wait(request, /*read=*/false, waiter);
    const bool replaces = file != nullptr && file->holders.contains(owner);
    const LockAnswer room = replaces ? LockAnswer::kGranted : CheckRoom(owner);
    if (room == LockAnswer::kGranted) {
      state_->HoldFile(state_->FileOf(request.file), owner, request.now_us);
    }
    return room;
  }
  if (HoldsRecord(request.file, owner, request.key)) return LockAnswer::kGranted;
  if (!LockState::MayHoldRecord(file, owner, request.key)) {
    return Wait(request, /*read=*/false, waiter);
  }
  const LockAnswer room = CheckRoom(owner);
  if (room == LockAnswer::kGranted) {
    state_->HoldRecord(state_->FileOf(request.file), owner, request.key, request.kind,
                       request.now_us);
  }
  return room;
}

LockAnswer LockTable::AwaitRead(const LockRequest& request, WaiterId waiter) {
  QUIRE_CHECK(request.owner != 0 && request.kind != LockKind::kFile);
  const FileLocks* file = state_->FindFile(request.file);
  if (LockState::MayRead(file, request.owner, request.key)) return LockAnswer::kGranted;
  return Wait(request, /*read=*/true, waiter);
}

LockAnswer LockTable::Wait(const LockRequest& request, bool read, WaiterId waiter) {
  if (waiter == 0) return LockAnswer::kLocked;
  const LockAnswer room = CheckRoom(request.owner);
  if (room != LockAnswer::kGranted) return room;
  state_->AddWait(request, read, waiter);
  std::vector<CycleStep> cycle = FindCycle(*state_, request.owner);
  if (cycle.empty()) return LockAnswer::kWaits;
  state_->WithdrawWait(waiter);
  last_cycle_ = std::move(cycle);
  return LockAnswer::kCycle;
}

bool LockTable::LockedByOther(FileId file, uint64_t owner, std::string_view key) const {
  return !LockState::MayRead(state_->FindFile(file), owner, key);
}

bool LockTable::HasLocks(FileId file) const {
  return state_->FindFile(file) != nullptr;
}

void LockTable::ReleaseRecord(FileId file, uint64_t owner, std::string_view key) {
  if (FileLocks* locks = state_->FindFile(file)) state_->ReleaseRecord(*locks, owner, key);
}

void LockTable::ReleaseFile(FileId file, uint64_t owner) {
  if (FileLocks* locks = state_->FindFile(file)) state_->ReleaseFile(*locks, owner);
}

void LockTable::TakeBackFile(FileId file, uint64_t owner) {
  if (FileLocks* locks = state_->FindFile(file)) state_->TakeBackFile(*locks, owner);
}

void LockTable::ReleaseOwner(uint64_t owner) {
  state_->ReleaseOwner(owner);
}

void LockTable::CancelWait(WaiterId waiter) {
  state_->CancelWait(waiter);
}

std::vector<WaiterId> LockTable::TakeGranted() {
  return state_->TakeGranted();
}

uint32_t LockTable::Held(uint64_t owner) const {
  const LockOwner* entry = state_->FindOwner(owner);
  return entry == nullptr ? 0 : entry->held;
}

uint32_t LockTable::Held(FileId file, uint64_t owner) const {
  const FileLocks* locks = state_->FindFile(file);
  if (locks == nullptr) return 0;
  if (locks->owner == owner) return 1;
  const auto held = locks->holders.find(owner);
  return held == locks->holders.end() ? 0 : static_cast<uint32_t>(held->second.size());
}

bool LockTable::HoldsFile(FileId file, uint64_t owner) const {
  const FileLocks* locks = state_->FindFile(file);
  return locks != nullptr && locks->owner == owner;
}

bool LockTable::HoldsRecord(FileId file, uint64_t owner, std::string_view key) const {
  const FileLocks* locks = state_->FindFile(file);
  const RecordLock* record = locks == nullptr ? nullptr : locks->Find(key);
  return record != nullptr && record->holder == owner;
}

uint32_t LockTable::total() const {
  return state_->total();
}

}  // namespace quire
