// One walk over every block of a tree: in key order from the root down, then over the bitmaps. Each
// invariant is verified, and what can be read of a damaged tree is counted.
//
// Works on copies of images that a BlockSource gives: the cache of a running volume (Tree::Check),
// what a control point left in the store (FUP CHECK), a store nobody serves (quire-inspect).
#ifndef QUIRE_SERVER_BTREE_TREE_WALK_H_
#define QUIRE_SERVER_BTREE_TREE_WALK_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "quire/key_range.h"
#include "quire/service.h"
#include "server/base/ids.h"
#include "server/btree/key_field.h"
#include "server/btree/tree_state.h"

namespace quire {

// Where the images of one file come from.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // Copies the image of `block`, of exactly that many bytes. 59 when it is absent, or is not this
  // block of this file under a right checksum (block_header.h): the walk goes on without it. Any
  // other error ends the walk. `level` is that of the place the block is wanted for.
  virtual absl::Status Read(BlockNumber block, uint32_t level, absl::Span<char> image) = 0;
};

// What the label says of a tree.
struct TreeOutline {
  FileId file = 0;
  uint32_t image_bytes = 0;  // more than a block header
  KeyField key;
  KeyRange range;  // of the partition
  TreeState state;
};

struct TreeFindings {
  // OK: whole. 59: the first fault, naming the block. Else: what ended the walk.
  absl::Status status;
  uint64_t faults = 0;  // one fault may lead to others
  // Data first, up to the root's. Of a damaged tree: the blocks that could be read, those too to
  // which no sound index block leads any more.
  std::vector<LevelStatistics> levels;
  uint64_t bitmap_blocks = 0;
  uint64_t unused_blocks = 0;  // below EOF and marked free
};

// Verified are: order of records and entries, within blocks and over the whole level; the bounds
// that a block's parent and the partition set; slots, and zeros in free bytes; the chain of data
// blocks both ways; that every block below EOF is reached exactly once, or free, or a bitmap, as
// its bit says; and that label and blocks agree on levels, records and free blocks. Needs one image
// a level, and one bit a block.
TreeFindings WalkTree(const TreeOutline& outline, BlockSource& source);

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_TREE_WALK_H_
