#include "server/keyseq/key_sequenced_file.h"

#include <utility>

#include "quire/error.h"
#include "quire/limits.h"
#include "server/base/activity.h"
#include "server/base/check.h"
#include "server/keyseq/errors.h"

namespace quire {

KeySequencedFile::KeySequencedFile(FileLabel label, BlockCache* cache)
    : label_(std::move(label)),
      cached_{label_.id, ImageBytes(label_.attributes.block_bytes), !label_.attributes.buffered,
              label_.attributes.lookaside},
      tree_(cache, &cached_, KeyField{label_.attributes.key_offset, label_.attributes.key_length},
            &label_.tree, [this](uint64_t eof_blocks) { return Grow(eof_blocks); }),
      range_(PartitionRange(label_.attributes, label_.partition)) {}

OperationResult KeySequencedFile::Execute(const Operation& operation, int64_t time_us,
                                          BlockCalls& calls, std::string* data) {
  const ActivityScope activity(Activity::kTree);
  OperationResult result;
  calls_ = &calls;
  result.status = Run(operation, calls, data, &result);
  calls_ = nullptr;
  if (!result.status.ok()) {
    NoteStatus(result.status);
  } else if (Changes(operation.kind)) {
    label_.modified_us = time_us;
    label_changed = true;
  }
  return result;
}

absl::Status KeySequencedFile::Run(const Operation& operation, BlockCalls& calls, std::string* data,
                                   OperationResult* result) {
  switch (operation.kind) {
    case OperationKind::kRead:
      return Read(operation, calls, data, result);
    case OperationKind::kWrite:
    case OperationKind::kUpdate:
    case OperationKind::kDelete:
      return label_.bad ? keyseq_error::FileIsBad(label_.name) : Change(operation, calls);
    default:
      break;  // those of an open's position and locks become one of these first
  }
  return keyseq_error::UnknownOperation(static_cast<uint32_t>(operation.kind));
}

absl::Status KeySequencedFile::Change(const Operation& operation, BlockCalls& calls) {
  std::string_view key = operation.key;
  if (operation.kind == OperationKind::kDelete) {
    if (absl::Status status = CheckWholeKey(key); !status.ok()) return status;
  } else {
    if (absl::Status status = CheckRecord(operation.record); !status.ok()) return status;
    key = tree_.key_field().Of(operation.record);
  }
  if (absl::Status status = CheckKeyOf(key); !status.ok()) return status;
  switch (operation.kind) {
    case OperationKind::kWrite:
      return tree_.Insert(operation.record, calls);
    case OperationKind::kUpdate:
      return tree_.Update(operation.record, calls);
    default:
      return tree_.Erase(key, calls);
  }
}

absl::Status KeySequencedFile::Read(const Operation& operation, BlockCalls& calls,
                                    std::string* data, OperationResult* result) {
  const uint32_t key_length = label_.attributes.key_length;
  if (operation.mode > ReadMode::kApproximate) {
    return keyseq_error::UnknownReadMode(static_cast<uint32_t>(operation.mode));
  }
  if (operation.mode == ReadMode::kByKey) {
    if (absl::Status status = CheckWholeKey(operation.key); !status.ok()) return status;
    if (absl::Status status = CheckKeyOf(operation.key); !status.ok()) return status;
  } else if (operation.key.size() > key_length) {
    return keyseq_error::KeyTooLong(operation.key.size(), key_length);
  }
  const size_t before = data->size();
  if (absl::Status status = tree_.Read(operation, calls, data); !status.ok()) return status;
  result->offset = static_cast<uint32_t>(before);
  result->length = static_cast<uint32_t>(data->size() - before);
  return absl::OkStatus();
}

absl::Status KeySequencedFile::CheckRecord(std::string_view record) const {
  if (record.empty()) return keyseq_error::EmptyRecord();
  const uint32_t key_end = tree_.key_field().end();
  if (record.size() < key_end) return keyseq_error::RecordShorterThanKey(record.size(), key_end);
  const uint32_t limit = label_.attributes.record_bytes;
  if (record.size() > limit) return keyseq_error::RecordTooLong(record.size(), limit);
  return absl::OkStatus();
}

absl::Status KeySequencedFile::CheckWholeKey(std::string_view key) const {
  const uint32_t key_length = label_.attributes.key_length;
  return key.size() == key_length ? absl::OkStatus()
                                  : keyseq_error::WrongKeyLength(key.size(), key_length);
}

absl::Status KeySequencedFile::CheckKeyOf(std::string_view key) const {
  return range_.Contains(key) ? absl::OkStatus()
                              : keyseq_error::KeyOfOtherPartition(key, label_.name);
}

void KeySequencedFile::NoteStatus(const absl::Status& status) {
  if (label_.bad || NumberOf(status) != ErrorNumber::kFileBad) return;
  label_.bad = true;
  label_changed = true;
}

Cursor KeySequencedFile::Scan(const KeyRange& range, bool reverse, bool start_exclusive,
                              BlockUse use) {
  KeyRange here = range.Intersect(range_);
  // Where the partition starts above the range's start, its first key is wanted.
  const bool exclusive = start_exclusive && here.start == range.start;
  return Cursor(&tree_, std::move(here), reverse, exclusive, use);
}

absl::Status KeySequencedFile::Grow(uint64_t eof_blocks) {
  const uint64_t extents = ExtentsFor(label_, eof_blocks);
  if (extents > label_.attributes.max_extents) {
    return keyseq_error::FileFull(label_.name, label_.attributes.max_extents);
  }
  if (extents <= label_.extents_allocated) return absl::OkStatus();
  QUIRE_CHECK(calls_ != nullptr);  // trees grow in Execute only
  calls_->extent_allocations += static_cast<int64_t>(extents - label_.extents_allocated);
  label_.extents_allocated = static_cast<uint32_t>(extents);
  return absl::OkStatus();
}

absl::Status KeySequencedFile::SetMaxExtents(uint32_t max_extents) {
  if (max_extents < kMinMaxExtents || max_extents > kMaxMaxExtents) {
    return keyseq_error::MaxExtentsOutOfRange(max_extents, kMinMaxExtents, kMaxMaxExtents);
  }
  if (max_extents < label_.extents_allocated) {
    return keyseq_error::MaxExtentsBelowAllocated(max_extents, label_.extents_allocated);
  }
  FileAttributes changed = label_.attributes;
  changed.max_extents = max_extents;
  const uint64_t most = changed.format == 1 ? kMaxFileBytesFormat1 : kMaxFileBytesFormat2;
  for (uint32_t partition = 0; partition < PartitionCount(changed); ++partition) {
    const uint64_t bytes = CapacityBytes(changed, partition);
    if (bytes > most) return keyseq_error::PartitionTooLarge(max_extents, bytes, most);
  }
  label_.attributes.max_extents = max_extents;
  label_changed = true;
  return absl::OkStatus();
}

void KeySequencedFile::SetMode(bool buffered, bool audit) {
  label_.attributes.buffered = buffered;
  label_.attributes.audit = audit;
  cached_.write_through = !buffered;
  label_changed = true;
}

void KeySequencedFile::SetLookaside(Lookaside lookaside) {
  if (lookaside == label_.attributes.lookaside) return;
  label_.attributes.lookaside = lookaside;
  cached_.lookaside = lookaside;
  if (lookaside != Lookaside::kFreeze) tree_.cache()->Unfreeze(cached_.id);
  label_changed = true;
}

absl::Status KeySequencedFile::RestoreState(std::string_view bytes) {
  if (absl::Status status = DecodeState(bytes, &label_); !status.ok()) return status;
  tree_.StateReplaced();
  label_changed = true;
  return absl::OkStatus();
}

uint64_t KeySequencedFile::eof_bytes() const {
  return uint64_t{label_.tree.eof_blocks} * label_.attributes.block_bytes;
}

}  // namespace quire
