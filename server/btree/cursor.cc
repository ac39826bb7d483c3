#include "server/btree/cursor.h"

#include <new>
#include <utility>

#include "server/base/activity.h"
#include "server/btree/errors.h"

namespace quire {

Cursor::Cursor(Tree* tree, KeyRange range, bool reverse, bool start_exclusive, BlockUse use)
    : tree_(tree),
      range_(std::move(range)),
      reverse_(reverse),
      start_exclusive_(start_exclusive),
      use_(use),
      ended_(range_.IsEmpty()) {}

namespace {

// A chunk that fills does not grow by doubling all the way; one of a few records stays small.
void Append(std::string_view record, uint64_t most_bytes, RecordChunk* chunk) {
  constexpr size_t kFewBytes = 16 << 10;
  const ActivityScope activity(Activity::kCopy);
  if (chunk->data.size() >= kFewBytes && chunk->data.capacity() < most_bytes) {
    chunk->data.reserve(most_bytes);
  }
  chunk->Add(record);
}

}  // namespace

// Where the next record is looked for when no leaf is known.
SeekBound Cursor::Bound() const {
  if (started_) return SeekBound{last_key_, /*inclusive=*/false, /*open=*/false};
  if (reverse_) return SeekBound{range_.limit, /*inclusive=*/false, range_.limit.empty()};
  return SeekBound{range_.start, !start_exclusive_, range_.start.empty()};
}

bool Cursor::IsBeyondRange(std::string_view key) const {
  if (!reverse_) return !range_.limit.empty() && key >= range_.limit;
  return start_exclusive_ ? key <= range_.start : key < range_.start;
}

absl::Status Cursor::Fill(uint64_t max_bytes, uint64_t max_records, BlockCalls& calls,
                          RecordChunk* chunk, bool* end) {
  *end = ended_;
  if (ended_) return absl::OkStatus();
  const ActivityScope activity(Activity::kTree);
  LeafPosition position(tree_->parts(), reverse_, use_);
  const int64_t misses = calls.cache_read_misses;
  const bool leaf_stands = next_leaf_ != 0 && tree_version_ == tree_->version();
  absl::Status status =
      leaf_stands ? position.Resume(next_leaf_, next_slot_, calls) : position.Seek(Bound(), calls);
  next_leaf_ = 0;
  if (!status.ok()) return status;
  Follow(position, calls.cache_read_misses != misses);
  const Limits limits{max_bytes, max_records};
  status = Take(position, limits, calls, chunk);
  *end = ended_;
  return status;
}

absl::Status Cursor::Take(LeafPosition& position, const Limits& limits, BlockCalls& calls,
                          RecordChunk* chunk) {
  while (!position.at_end()) {
    std::string_view record;
    std::string_view key;
    if (absl::Status status = position.Get(&record, &key); !status.ok()) return status;
    if (started_ && (reverse_ ? key >= last_key_ : key <= last_key_)) {
      return btree_error::BadBlock(tree_->file().id, position.leaf(),
                                   "its records are out of order");
    }
    if (IsBeyondRange(key)) break;
    if (limits.Refuse(*chunk, record.size())) {
      Remember(position.leaf(), position.slot());
      return absl::OkStatus();
    }
    Append(record, limits.max_bytes, chunk);
    chunk->last_key.assign(key);
    last_key_.assign(key);
    started_ = true;
    // A full chunk does not read the block beside: whoever goes on will.
    if (limits.Refuse(*chunk, 1) && position.last_in_leaf()) {
      ended_ = position.last_in_chain();
      Remember(position.leaf(), position.slot() + (reverse_ ? -1 : 1));
      return absl::OkStatus();
    }
    const int64_t reads = calls.driver_input_calls;
    const int64_t misses = calls.cache_read_misses;
    if (absl::Status status = position.Step(calls); !status.ok()) return status;
    if (calls.driver_input_calls != reads) Follow(position, calls.cache_read_misses != misses);
  }
  ended_ = true;
  return absl::OkStatus();
}

void Cursor::Follow(const LeafPosition& position, bool missed) {
  const TreeReadAhead& ahead = tree_->read_ahead();
  if (ahead.reader == nullptr || position.at_end() || position.leaf() == leaf_) return;
  leaf_ = position.leaf();
  ++sequential_;
  if (run_ == nullptr && (!missed || sequential_ < ahead.worth->sequential_blocks())) return;
  std::string_view record;
  std::string_view key;
  if (!position.Get(&record, &key).ok()) return;  // Take will say so
  try {
    if (run_ == nullptr) {
      run_ = std::make_shared<SequentialRun>(ahead.reader->rules(), ahead.worth);
    }
    run_->CameTo(tree_->parts(), RunPlace{leaf_, key, missed, reverse_, &range_}, *ahead.reader);
  } catch (const std::bad_alloc&) {
    // The record has been found: it needs no read-ahead.
  }
}

void Cursor::Remember(BlockNumber leaf, int32_t slot) {
  next_leaf_ = leaf;
  next_slot_ = slot;
  tree_version_ = tree_->version();
}

}  // namespace quire
