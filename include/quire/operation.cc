#include "quire/operation.h"

#include <algorithm>
#include <utility>

namespace quire {

bool Changes(OperationKind kind) {
  return kind != OperationKind::kRead;
}

void OperationBatch::Add(const Operation& operation) {
  const bool has_record =
      operation.kind == OperationKind::kWrite || operation.kind == OperationKind::kUpdate;
  const std::string_view bytes = has_record ? operation.record : operation.key;
  entries_.push_back(Entry{operation.kind, operation.mode, operation.reverse, operation.skip_exact,
                           static_cast<uint32_t>(data_.size()),
                           static_cast<uint32_t>(bytes.size())});
  data_.append(bytes);
  changes_ = changes_ || Changes(operation.kind);
}

void OperationBatch::Clear() {
  entries_.clear();
  data_.clear();
  changes_ = false;
}

Operation OperationBatch::operator[](size_t i) const {
  const Entry& entry = entries_[i];
  Operation operation{entry.kind, entry.mode, entry.reverse, entry.skip_exact, {}, {}};
  const std::string_view bytes = std::string_view(data_).substr(entry.offset, entry.length);
  const bool has_record =
      entry.kind == OperationKind::kWrite || entry.kind == OperationKind::kUpdate;
  (has_record ? operation.record : operation.key) = bytes;
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
