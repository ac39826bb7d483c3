// A record that does not fit into its data block: divides the records over the block and one or two
// new ones, links the chain and grows the index. First Plan, which does all that can fail, then
// Run, which cannot.
#ifndef QUIRE_SERVER_BTREE_LEAF_SPLIT_H_
#define QUIRE_SERVER_BTREE_LEAF_SPLIT_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "server/btree/block_supply.h"
#include "server/btree/growth_gate.h"
#include "server/btree/index_growth.h"
#include "server/btree/search.h"
#include "server/btree/split.h"
#include "server/btree/tree_state.h"
#include "server/counters/block_calls.h"

namespace quire {

// What does not fit, and where it belongs.
struct MisfitRecord {
  std::string_view record;
  uint32_t slot = 0;
  bool replaces = false;  // record `slot` of the block; otherwise it goes before that one
};

class LeafSplit {
 public:
  // `leaf` is validated and pinned for writing; `path` led to it. Both outlive this.
  LeafSplit(const TreeParts& parts, Path* path, Pin* leaf, const MisfitRecord& misfit);

  // 45, 43 from the gate; 31; 59. Nothing but the gate's own books has changed.
  absl::Status Plan(const GrowthGate& gate);
  // Counts R-C1's calls of a split except the label's.
  void Run(BlockCalls& calls);

 private:
  // Record i of the records to be, the misfit one included.
  std::string_view RecordAt(BlockView& view, uint32_t i) const;
  uint32_t RecordsToBe(const BlockView& view) const;
  void Divide(BlockView& view);
  absl::Status FetchNeighbour(BlockNumber neighbour);
  absl::Status PlanIndex(BlockView& view);
  absl::Status ReserveBlocks();
  // Whether the old block keeps its records as they are: only the new record goes elsewhere.
  bool KeepsAll(const BlockView& view) const;

  TreeParts parts_;
  Path* path_;
  Pin* leaf_;
  MisfitRecord misfit_;
  Division division_;
  Pin neighbour_;  // the block to the right, if there is one
  IndexGrowth index_;
  BlockSupply supply_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_LEAF_SPLIT_H_
