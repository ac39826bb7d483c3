#include "quire/operation.h"

#include <algorithm>
#include <utility>

namespace quire {

bool Changes(OperationKind kind) {
  switch (kind) {
    case OperationKind::kWrite:
    case OperationKind::kUpdate:
    case OperationKind::kDelete:
    case OperationKind::kWriteUpdate:
    case OperationKind::kDeleteCurrent:
      return true;
    default:
      return false;
  }
}

bool HasRecord(OperationKind kind) {
  return kind == OperationKind::kWrite || kind == OperationKind::kUpdate ||
         kind == OperationKind::kWriteUpdate;
}

bool UsesPosition(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::kSetPosition:
    case OperationKind::kReadNext:
    case OperationKind::kReadUpdate:
    case OperationKind::kWriteUpdate:
    case OperationKind::kDeleteCurrent:
    case OperationKind::kSavePosition:
    case OperationKind::kRestorePosition:
      return true;
    case OperationKind::kLockRecord:
    case OperationKind::kUnlockRecord:
      return operation.key.empty();
    default:
      return false;
  }
}

bool IsForWholeFile(OperationKind kind) {
  return kind == OperationKind::kLockFile || kind == OperationKind::kUnlockFile ||
         kind == OperationKind::kSetLockMode;
}

void OperationBatch::Add(const Operation& operation) {
  const std::string_view bytes = HasRecord(operation.kind) ? operation.record : operation.key;
  entries_.push_back(Entry{operation.kind, operation.mode, operation.reverse, operation.skip_exact,
                           static_cast<uint32_t>(data_.size()), static_cast<uint32_t>(bytes.size()),
                           operation.last_of_set, operation.lock, operation.unlock,
                           operation.compare_length, operation.key_specifier, operation.lock_mode});
  data_.append(bytes);
  changes_ = changes_ || Changes(operation.kind);
}

void OperationBatch::Clear() {
  *this = OperationBatch();
}

Operation OperationBatch::operator[](size_t i) const {
  const Entry& entry = entries_[i];
  const std::string_view bytes = std::string_view(data_).substr(entry.offset, entry.length);
  Operation operation{entry.kind,
                      entry.mode,
                      entry.reverse,
                      entry.skip_exact,
                      {},
                      {},
                      entry.last_of_set,
                      entry.lock,
                      entry.unlock,
                      entry.compare_length,
                      entry.key_specifier,
                      entry.lock_mode};
  (HasRecord(entry.kind) ? operation.record : operation.key) = bytes;
  return operation;
}

bool OperationBatch::Adopt(std::vector<Entry> entries, std::string data) {
  for (const Entry& entry : entries) {
    if (entry.offset > data.size() || entry.length > data.size() - entry.offset) return false;
  }
  entries_ = std::move(entries);
  data_ = std::move(data);
  changes_ = std::any_of(entries_.begin(), entries_.end(),
                         [](const Entry& entry) { return Changes(entry.kind); });
  return true;
}

}  // namespace quire
