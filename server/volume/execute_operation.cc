#include "server/volume/execute_operation.h"

#include <new>
#include <utility>

#include "quire/position.h"
#include "server/base/activity.h"
#include "server/volume/errors.h"
#include "server/volume/record_locks.h"
#include "server/volume/security.h"

namespace quire {
namespace {

// Blocks a change may touch beside the index path: bitmap and a new one, up to three data blocks,
// the neighbour; and per level the old and the new index block, and a new root.
constexpr uint32_t kBlocksOfChange = 8;
constexpr uint32_t kBlocksPerLevel = 2;

// What the open may do; single calls, which did not open anything, are checked one by one.
absl::Status CheckAccess(const VolumeState& state, const OpenEntry& open, OperationKind kind) {
  if (open.implicit) {
    return CheckRight(state.options, open.entry->label(),
                      Changes(kind) ? Right::kWrite : Right::kRead);
  }
  if (Changes(kind)) {
    return open.access == AccessMode::kRead ? volume_error::ReadOnlyOpen(open.name)
                                            : absl::OkStatus();
  }
  const bool reads = kind == OperationKind::kRead || kind == OperationKind::kReadNext ||
                     kind == OperationKind::kReadUpdate;
  return reads && open.access == AccessMode::kWrite ? volume_error::WriteOnlyOpen(open.name)
                                                    : absl::OkStatus();
}

// Whether a single call, which has no open of its own, may do it.
bool NeedsSession(const Operation& operation) {
  return operation.kind > OperationKind::kDelete || operation.lock || operation.unlock;
}

void CountOnAll(VolumeState& state, OpenEntry& open, const BlockCalls& calls) {
  open.CountCalls(calls);
  state.disc.AddCalls(calls);
  open.Count(Counter::kRequests);
  state.disc.Add(Counter::kRequests);
}

class Runner {
 public:
  Runner(const OperationContext& context, const Operation& operation, OperationResult* result,
         std::string* data)
      : state_(context.state),
        process_(context.process),
        request_(context.request),
        open_(context.open),
        entry_(*open_.entry),
        operation_(operation),
        repeater_(context.repeater),
        sequence_(context.sequence),
        locks_(state_, process_, request_, open_, context.lock_timeout_ms, context.may_wait),
        result_(result),
        data_(data) {}

  // False: waits.
  bool Run() {
    *result_ = OperationResult();
    result_->status = locks_.FinishWait();
    if (result_->status.ok()) result_->status = CheckAccess(state_, open_, operation_.kind);
    if (result_->status.ok() && open_.implicit && NeedsSession(operation_)) {
      result_->status = volume_error::SessionOnly();
    }
    LockStep step = LockStep::kGo;
    if (result_->status.ok()) step = DispatchOrRefuse();
    if (step == LockStep::kWait) return false;
    if (step == LockStep::kRefused) result_->status = locks_.status();
    locks_.Finish();
    CountOnAll(state_, open_, calls_);
    return true;
  }

 private:
  // An allocation that fails before anything was changed ends this operation alone.
  LockStep DispatchOrRefuse() {
    const uint64_t before = process_.ChangesBegun();
    const size_t bytes = data_->size();
    try {
      return Dispatch();
    } catch (const std::bad_alloc&) {
      if (process_.ChangesBegun() != before || request_.lock_wait.waiter != 0) throw;
      data_->resize(bytes);
      *result_ = OperationResult();
      result_->status = volume_error::OutOfMemory();
      return LockStep::kGo;
    }
  }

  LockStep Dispatch() {
    switch (operation_.kind) {
      case OperationKind::kWrite:
      case OperationKind::kUpdate:
      case OperationKind::kDelete:
        return Change(operation_);
      case OperationKind::kWriteUpdate:
      case OperationKind::kDeleteCurrent:
        return ChangeCurrent();
      case OperationKind::kRead:
        return ReadByKey();
      case OperationKind::kReadNext:
        return ReadNext();
      case OperationKind::kReadUpdate:
        return ReadCurrent();
      case OperationKind::kLockRecord:
        return LockRecord();
      case OperationKind::kUnlockRecord:
        return UnlockRecord();
      case OperationKind::kLockFile:
        return locks_.LockFile();
      case OperationKind::kUnlockFile:
        if (operation_.lock) {
          state_.locks.TakeBackFile(entry_.id(), open_.id);
        } else {
          state_.locks.ReleaseFile(entry_.id(), open_.id);
        }
        return LockStep::kGo;
      default:
        result_->status = SetState();
        return LockStep::kGo;
    }
  }

  // ---- Changes ----

  LockStep Change(const Operation& change) {
    const std::string_view key = KeyOf(change);
    // A record too short for its key is refused by the file (21).
    if (!key.empty()) {
      if (const LockStep step = locks_.Change(key); step != LockStep::kGo) return step;
    }
    const uint32_t blocks = kBlocksOfChange + kBlocksPerLevel * entry_.label().tree.index_levels;
    result_->status = process_.EnsureRoom(entry_, blocks, change);
    if (!result_->status.ok()) return LockStep::kGo;
    const int64_t now_us = state_.NowMicros();
    *result_ = entry_.file.Execute(change, now_us, calls_, data_);
    if (!result_->status.ok()) return LockStep::kGo;
    process_.NoteChange(entry_, RedoRecord{change, now_us, repeater_, sequence_}, request_);
    if (!entry_.durable()) open_.buffered_change = entry_.buffered_change;
    if (operation_.unlock) locks_.UnlockRecord(key);
    return LockStep::kGo;
  }

  LockStep ChangeCurrent() {
    const absl::StatusOr<std::string> key = open_.position->CurrentKey();
    Operation change;
    if (operation_.kind == OperationKind::kDeleteCurrent) {
      change.kind = OperationKind::kDelete;
      if (key.ok()) change.key = *key;
    } else {
      change.kind = OperationKind::kUpdate;
      change.record = operation_.record;
      // The length first: 21 whatever the position.
      const std::string_view record_key = KeyOf(change);
      if (key.ok() && !record_key.empty() && record_key != *key) {
        result_->status = volume_error::KeyChanged();
        return LockStep::kGo;
      }
    }
    if (!key.ok()) {
      result_->status = key.status();
      return LockStep::kGo;
    }
    return Change(change);
  }

  // ---- Reads ----

  LockStep ReadByKey() {
    const size_t before = data_->size();
    *result_ = entry_.file.Execute(operation_, state_.NowMicros(), calls_, data_);
    if (!result_->status.ok()) return LockStep::kGo;
    const LockStep step = Guard(KeyOfRecord(std::string_view(*data_).substr(before)));
    if (step == LockStep::kGo) return step;
    data_->resize(before);
    result_->offset = 0;
    result_->length = 0;
    return step;
  }

  LockStep ReadNext() {
    std::string key;
    result_->status = open_.position->Peek(calls_, &record_, &key);
    if (!result_->status.ok()) return LockStep::kGo;
    const LockStep step = Guard(key);
    if (step != LockStep::kGo) return step;
    Give(record_);
    open_.position->Accept();  // last: without memory for the record the position stays
    return step;
  }

  LockStep ReadCurrent() {
    result_->status = open_.position->Current(calls_, &record_);
    if (!result_->status.ok()) return LockStep::kGo;
    const LockStep step = Guard(KeyOfRecord(record_));
    if (step == LockStep::kGo) Give(record_);
    return step;
  }

  // What stands between finding a record and giving it.
  LockStep Guard(std::string_view key) {
    return operation_.lock ? locks_.LockRecord(key) : locks_.Read(key, &result_->warning);
  }

  void Give(std::string_view bytes) {
    result_->offset = static_cast<uint32_t>(data_->size());
    result_->length = static_cast<uint32_t>(bytes.size());
    data_->append(bytes);
  }

  // ---- Locks ----

  LockStep LockRecord() {
    const absl::StatusOr<std::string> key = NamedKey();
    if (!key.ok()) {
      result_->status = key.status();
      return LockStep::kGo;
    }
    Operation read;
    read.key = *key;
    record_.clear();
    result_->status = entry_.file.Execute(read, state_.NowMicros(), calls_, &record_).status;
    return result_->status.ok() ? locks_.LockRecord(*key) : LockStep::kGo;
  }

  LockStep UnlockRecord() {
    const absl::StatusOr<std::string> key = NamedKey();
    if (key.ok()) {
      locks_.UnlockRecord(*key);
    } else {
      result_->status = key.status();
    }
    return LockStep::kGo;
  }

  // The key given, else that of the current record.
  absl::StatusOr<std::string> NamedKey() const {
    if (operation_.key.empty()) return open_.position->CurrentKey();
    const uint32_t length = entry_.label().attributes.key_length;
    if (operation_.key.size() != length) {
      return volume_error::KeyLength(operation_.key.size(), length);
    }
    return std::string(operation_.key);
  }

  // ---- Position and lock mode ----

  absl::Status SetState() {
    const FileAttributes& attributes = entry_.label().attributes;
    switch (operation_.kind) {
      case OperationKind::kSetPosition: {
        absl::StatusOr<Position> position = PositionFrom(operation_, attributes);
        if (!position.ok()) return position.status();
        open_.position->Set(*std::move(position));
        return absl::OkStatus();
      }
      case OperationKind::kSavePosition:
        Give(EncodePosition(open_.position->value()));
        return absl::OkStatus();
      case OperationKind::kRestorePosition: {
        absl::StatusOr<Position> position = DecodePosition(operation_.key);
        if (!position.ok()) return position.status();
        if (position->key.size() > attributes.key_length) {
          return volume_error::PositionOfOtherFile(position->key.size(), attributes.key_length);
        }
        open_.position->Set(*std::move(position));
        return absl::OkStatus();
      }
      case OperationKind::kSetLockMode:
        if (!IsLockMode(operation_.lock_mode)) {
          return volume_error::NoSuchLockMode(operation_.lock_mode);
        }
        open_.lock_mode = operation_.lock_mode;
        return absl::OkStatus();
      default:
        return entry_.file.Execute(operation_, state_.NowMicros(), calls_, data_).status;
    }
  }

  std::string_view KeyOfRecord(std::string_view record) const {
    const FileAttributes& attributes = entry_.label().attributes;
    if (record.size() < attributes.key_offset + attributes.key_length) return {};
    return record.substr(attributes.key_offset, attributes.key_length);
  }
  std::string_view KeyOf(const Operation& change) const {
    return HasRecord(change.kind) ? KeyOfRecord(change.record) : change.key;
  }

  VolumeState& state_;
  DiscProcess& process_;
  Request& request_;
  OpenEntry& open_;
  FileEntry& entry_;
  const Operation& operation_;
  const OpenKey repeater_;
  const uint64_t sequence_;
  RecordLocks locks_;
  OperationResult* const result_;
  std::string* const data_;
  BlockCalls calls_;
  std::string record_;
};

}  // namespace

bool ExecuteOperation(const OperationContext& context, const Operation& operation,
                      OperationResult* result, std::string* data) {
  return Runner(context, operation, result, data).Run();
}

std::optional<absl::Status> TryReadByKey(VolumeState& state, const DiscProcess& process,
                                         OpenEntry& open, std::string_view key,
                                         std::string* record) {
  const ActivityScope activity(Activity::kRequest);
  FileEntry& entry = *open.entry;
  if (open.lost.has_value() || entry.barrier || !process.IsDurable(entry)) return std::nullopt;
  if (state.locks.HasLocks(entry.id())) return std::nullopt;
  Operation read;
  read.key = key;
  BlockCalls calls;
  absl::Status status;
  record->clear();
  try {
    status = CheckAccess(state, open, read.kind);
    // Only changes have a time.
    if (status.ok()) status = entry.file.Execute(read, /*time_us=*/0, calls, record).status;
  } catch (const std::bad_alloc&) {
    // Refused as a submitted read would be. Done again by Submit, it would meet in the cache what
    // this try has brought there, and the counters would miss what it cost.
    record->clear();
    status = volume_error::OutOfMemory();
  }
  CountOnAll(state, open, calls);
  return status;
}

absl::Status ExecuteScan(VolumeState& state, const Request& request, OpenEntry& open,
                         absl::FunctionRef<absl::Status(BlockCalls&)> fill) {
  BlockCalls calls;
  absl::Status status = CheckAccess(state, open, OperationKind::kRead);
  if (status.ok()) status = fill(calls);
  if (request.lock_wait.waiter == 0) CountOnAll(state, open, calls);
  open.last_use_us = state.NowMicros();
  return status;
}

}  // namespace quire
