// Takes a data block that loses its last record out of the tree: chain, index entries, index blocks
// that become empty with it, roots that are left with a single child. First Plan, then Run, as
// in leaf_split.h.
#ifndef QUIRE_SERVER_BTREE_LEAF_REMOVAL_H_
#define QUIRE_SERVER_BTREE_LEAF_REMOVAL_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "server/btree/block_supply.h"
#include "server/btree/search.h"
#include "server/btree/tree_state.h"
#include "server/counters/block_calls.h"

namespace quire {

class LeafRemoval {
 public:
  // `leaf` holds one record and is pinned for writing; `path` led to it. Both outlive this, and
  // their pins are released as blocks are given back.
  LeafRemoval(const TreeParts& parts, Path* path, Pin* leaf);

  // 31; 59. Counts a read call for each index block looked at that the descent did not walk:
  // children of a root that goes.
  absl::Status Plan(BlockCalls& calls);
  // Counts R-C2's calls except the label's: the data block and its bitmap, both neighbours, the
  // parent; each index block given back one for itself and one for its bitmap.
  void Run(BlockCalls& calls);

 private:
  absl::Status FetchNeighbours();
  absl::Status PlanIndex(BlockCalls& calls);
  // The root `keeper` is left with one child: which block becomes the root.
  absl::Status PlanRoot(const PathStep& keeper, BlockCalls& calls);
  absl::Status CheckChild(BlockNumber parent, BlockNumber child) const;
  absl::StatusOr<Pin> FetchNeighbour(BlockNumber neighbour, bool to_left) const;
  void Empty(Pin* pin, BlockCalls& calls);
  void RemoveEntry(PathStep& step, BlockCalls& calls);

  TreeParts parts_;
  Path* path_;
  Pin* leaf_;
  Pin previous_;
  Pin next_;
  PathStep* keeper_ = nullptr;  // the lowest index block that keeps entries; null: the tree empties
  size_t emptied_ = 0;          // index blocks below it
  absl::InlinedVector<BlockNumber, 2> old_roots_;  // given back in turn
  BlockNumber root_ = 0;
  uint32_t index_levels_ = 0;
  BlockReturn returns_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_LEAF_REMOVAL_H_
