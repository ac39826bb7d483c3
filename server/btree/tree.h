// The B-tree of one partition: records in key order in data blocks, index levels above them, free
// blocks in bitmaps. Everything runs on cached blocks, in the disc process role.
//
// An operation checks all it needs (room, frames) before its first change: when it fails, nothing
// was changed. The rules that make the counters come out as on the real system stand in
// block_layout.h (layout) and split.h (splits).
#ifndef QUIRE_SERVER_BTREE_TREE_H_
#define QUIRE_SERVER_BTREE_TREE_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/key_range.h"
#include "quire/operation.h"
#include "server/base/ids.h"
#include "server/cache/block_cache.h"
#include "server/counters/block_calls.h"

namespace quire {

// Structural state: changes with the blocks and becomes durable as they do (R-D1).
struct TreeState {
  BlockNumber root = 0;      // 0: empty tree, no data block yet
  uint32_t index_levels = 0;  // 0: the root is a data block
  uint32_t eof_blocks = 0;    // number of the next block never used
  uint32_t free_blocks = 0;   // below EOF
  uint32_t free_hint = 0;     // lowest bitmap that may have a free block
  uint64_t record_count = 0;

  bool operator==(const TreeState&) const = default;
};

// Says whether the partition may grow to so many blocks: 45 extents used up, 43 no room.
using GrowthGate = std::function<absl::Status(uint64_t eof_blocks)>;

struct KeyField {
  uint32_t offset = 0;
  uint32_t length = 0;
  // `record` must reach to the end of the key.
  std::string_view Of(std::string_view record) const { return record.substr(offset, length); }
};

class Tree {
 public:
  // All pointers outlive the tree. `state` is changed in place by operations.
  Tree(BlockCache* cache, const CachedFile* file, KeyField key, TreeState* state, GrowthGate gate);

  // 10 exists; 45, 43; 31; 59. Counts as R-C1.
  absl::Status Insert(std::string_view record, BlockCalls& calls);
  // Replaces the record of the same key. 11; a longer record may split: 45, 43.
  absl::Status Update(std::string_view record, BlockCalls& calls);
  absl::Status Erase(std::string_view key, BlockCalls& calls);  // 11

  // The record found, in `record` (replaced). 11 kByKey missing; 1 generic or approximate.
  absl::Status Read(const Operation& read, BlockCalls& calls, std::string* record);

  // The label was written by a control point: in a BUFFERED file the next label call finds it
  // clean (in a write-through file every label call does, R-C1).
  void LabelStored() { label_dirty_ = false; }

  // The number of changes so far; a cursor that kept a leaf uses it only while this stands.
  uint64_t version() const { return version_; }

  // Walks everything: order, bounds against the parent, chains both ways, every block reached
  // exactly once, free or bitmap, counts equal to the state. OK or the first fault found. Counts
  // nothing.
  absl::Status Check();

  const TreeState& state() const { return *state_; }
  const KeyField& key_field() const { return key_; }
  BlockCache* cache() const { return cache_; }
  const CachedFile& file() const { return *file_; }

 private:
  friend class Cursor;
  BlockCache* cache_;
  const CachedFile* file_;
  KeyField key_;
  TreeState* state_;
  GrowthGate gate_;
  uint64_t version_ = 0;
  bool label_dirty_ = false;
};

// Walks records in order, either way, over [start, limit). Its position is a key: it stays right
// whatever is inserted, deleted or split between two calls. While the tree has not changed it goes
// on from its leaf: one read call per leaf visited; a descent is counted only at the start and
// after a change (R-C2).
class Cursor {
 public:
  Cursor(Tree* tree, KeyRange range, bool reverse, bool start_exclusive, BlockUse use);

  // Appends records to `chunk` until `max_bytes` of data or `max_records` are in it, or the range
  // ends (true in *end). At least one record is given when there is one. max_records 0: no limit.
  absl::Status Fill(uint64_t max_bytes, uint64_t max_records, BlockCalls& calls, RecordChunk* chunk,
                    bool* end);

 private:
  Tree* tree_;
  KeyRange range_;
  bool reverse_;
  bool start_exclusive_;
  BlockUse use_;
  bool started_ = false;
  bool ended_ = false;
  std::string last_key_;      // last record given
  BlockNumber leaf_ = 0;      // where it lay, while tree_version_ stands
  uint64_t tree_version_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_TREE_H_
