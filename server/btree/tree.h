// The B-tree of one partition: records in key order in data blocks, index levels above them, free
// blocks in bitmaps. Everything runs on cached blocks, in the disc process role.
//
// An operation checks all it needs (room, frames) before its first change: when it fails, nothing
// was changed. The rules that make the counters come out as on the real system stand in
// block_layout.h (layout) and split.h (splits).
#ifndef QUIRE_SERVER_BTREE_TREE_H_
#define QUIRE_SERVER_BTREE_TREE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/key_range.h"
#include "quire/operation.h"
#include "server/base/ids.h"
#include "server/btree/growth_gate.h"
#include "server/btree/key_field.h"
#include "server/btree/read_ahead.h"
#include "server/btree/search.h"
#include "server/btree/tree_state.h"
#include "server/cache/block_cache.h"
#include "server/counters/block_calls.h"

namespace quire {

struct MisfitRecord;  // leaf_split.h

class Tree {
 public:
  // All pointers outlive the tree. `state` is changed in place by operations. Records given to
  // Insert and Update hold the whole key and fit into a block (block_layout.h).
  Tree(BlockCache* cache, const CachedFile* file, KeyField key, TreeState* state, GrowthGate gate);

  // 10 exists; 45, 43; 31; 59. Counts as R-C1.
  absl::Status Insert(std::string_view record, BlockCalls& calls);
  // Replaces the record of the same key. 11; a longer record may split: 45, 43.
  absl::Status Update(std::string_view record, BlockCalls& calls);
  absl::Status Erase(std::string_view key, BlockCalls& calls);  // 11

  // Appends the record found to `data`; nothing after an error. 11 kByKey missing; 1 generic or
  // approximate.
  absl::Status Read(const Operation& read, BlockCalls& calls, std::string* data);

  // The label was written by a control point: in a BUFFERED file the next label call finds it
  // clean (in a write-through file every label call does, R-C1).
  void LabelStored() { label_dirty_ = false; }

  // The number of changes so far; a cursor that kept a leaf uses it only while this stands.
  uint64_t version() const { return version_; }
  // The state was replaced from outside (recovery): what cursors know of it is void.
  void StateReplaced() { ++version_; }

  // Cursors have blocks brought ahead of them by `reader`, which outlives the tree; null: none.
  void SetReadAhead(ReadAhead* reader) {
    read_ahead_ = {reader, reader == nullptr ? nullptr : reader->NewWorth()};
  }
  const TreeReadAhead& read_ahead() const { return read_ahead_; }

  // Walks everything (tree_walk.h). OK or the first fault found. Counts nothing.
  absl::Status Check();

  const TreeState& state() const { return *parts_.state; }
  const KeyField& key_field() const { return parts_.key; }
  BlockCache* cache() const { return parts_.cache; }
  const CachedFile& file() const { return *parts_.file; }
  const TreeParts& parts() const { return parts_; }

 private:
  // Descends by `key` and pins the data block for a change, validated.
  absl::StatusOr<Pin> FetchLeaf(std::string_view key, BlockCalls& calls, Path* path);
  // 31 unless one block can be changed.
  absl::Status CheckRoomForOne() const;
  absl::Status ReadByKey(std::string_view key, BlockCalls& calls, std::string* data);
  absl::Status InsertFirst(std::string_view record, BlockCalls& calls);
  absl::Status SplitLeaf(Path* path, Pin* leaf, const MisfitRecord& misfit, BlockCalls& calls);
  void CountLabelCall(BlockCalls& calls);

  TreeParts parts_;
  GrowthGate gate_;
  uint64_t version_ = 0;
  bool label_dirty_ = false;
  TreeReadAhead read_ahead_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_TREE_H_
