// Binary search in one block image, and the walk from the root to a data block. Keys compare as
// unsigned bytes.
#ifndef QUIRE_SERVER_BTREE_SEARCH_H_
#define QUIRE_SERVER_BTREE_SEARCH_H_

#include <cstdint>
#include <string_view>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "server/btree/block_view.h"
#include "server/btree/tree_state.h"
#include "server/cache/block_cache.h"
#include "server/counters/block_calls.h"

namespace quire {

struct RecordSlot {
  uint32_t slot = 0;   // of the first record whose key is >= the key; count() when there is none
  bool exact = false;  // its key is the key
};

// Of a data block. Check view.damaged() afterwards.
RecordSlot FindRecord(BlockView& view, const KeyField& field, std::string_view key);

// Of an index block with at least one entry: the last entry whose separator is <= key; the first
// entry counts as lowest. Check view.damaged() afterwards.
uint32_t FindChild(BlockView& view, std::string_view key);

// Where a descent goes: to the data block that holds or would hold `key`, or to the last one.
struct DescentTarget {
  std::string_view key;
  bool last = false;  // the highest data block, whatever `key` says
};

// One index block walked: pinned, with the entry followed.
struct PathStep {
  Pin pin;
  uint32_t slot = 0;
};
// From the root down to level 1.
using Path = absl::InlinedVector<PathStep, 5>;

// Walks down a tree that is not empty, counting one read call per index block, and answers the data
// block's number. With `path` null nothing stays pinned. 59 for blocks that cannot be in their
// place; 31 from the cache.
absl::StatusOr<BlockNumber> Descend(const TreeParts& parts, const DescentTarget& target,
                                    BlockCalls& calls, Path* path);

// Why a block image cannot be one of `level` in this file, or null. Checks level and, except for
// bitmaps, that it holds at least one item.
const char* WrongBlock(const BlockView& view, uint8_t level);

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_SEARCH_H_
