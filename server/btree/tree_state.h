// Structural state of a tree, and what all its parts work on.
#ifndef QUIRE_SERVER_BTREE_TREE_STATE_H_
#define QUIRE_SERVER_BTREE_TREE_STATE_H_

#include <cstdint>

#include "server/base/ids.h"
#include "server/btree/block_layout.h"
#include "server/btree/key_field.h"
#include "server/cache/block_cache.h"

namespace quire {

// Changes with the blocks and becomes durable as they do (R-D1). Block allocation depends on this
// and on the bitmaps alone (R-D11).
struct TreeState {
  BlockNumber root = 0;       // 0: empty tree, no data block yet
  uint32_t index_levels = 0;  // 0: the root is a data block
  uint32_t eof_blocks = 0;    // number of the next block never used
  uint32_t free_blocks = 0;   // below EOF
  uint32_t free_hint = 0;     // block number of the lowest bitmap that may have a free block
  uint64_t record_count = 0;

  bool operator==(const TreeState&) const = default;
};

// All pointers outlive whoever holds them.
struct TreeParts {
  BlockCache* cache = nullptr;
  const CachedFile* file = nullptr;
  KeyField key;
  TreeState* state = nullptr;

  // Bytes that the items and slots of one block share.
  uint32_t capacity() const { return CapacityOf(file->image_bytes); }
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_TREE_STATE_H_
