// Puts entries for new blocks into the index, level by level, splitting what is full and adding a
// root where the old one splits. First Plan, which changes nothing, then Run, which cannot fail.
#ifndef QUIRE_SERVER_BTREE_INDEX_GROWTH_H_
#define QUIRE_SERVER_BTREE_INDEX_GROWTH_H_

#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "server/btree/block_supply.h"
#include "server/btree/search.h"
#include "server/btree/split.h"
#include "server/btree/tree_state.h"
#include "server/counters/block_calls.h"

namespace quire {

// At most two blocks are added beside one: separators and children of the new ones, in key order.
using Separators = absl::InlinedVector<std::string, 2>;
using NewBlocks = absl::InlinedVector<BlockNumber, 2>;

class IndexGrowth {
 public:
  // `path` leads to the data block that is being split; it outlives this.
  IndexGrowth(const TreeParts& parts, Path* path) : parts_(parts), path_(path) {}

  // Works out what adding these entries behind those of the path does on every level. 59 for bad
  // blocks, 45 when no level can be added.
  absl::Status Plan(Separators separators);
  uint32_t new_blocks() const { return new_blocks_; }
  uint32_t changed_blocks() const { return static_cast<uint32_t>(levels_.size()); }

  // `children`: one for each separator planned. Counts one write call for each entry that goes into
  // a block with room, and for an index split R-C1's calls.
  void Run(NewBlocks children, BlockSupply& supply, BlockCalls& calls);

 private:
  struct Level {
    PathStep* step = nullptr;
    Separators added;
    Division division;  // of the old and added entries together
  };

  absl::Status PlanLevel(PathStep& step, Separators added, Separators* above);
  // Adds the entries of `level` and answers the blocks its split made.
  NewBlocks RunLevel(Level& level, const NewBlocks& children, BlockSupply& supply,
                     BlockCalls& calls);
  NewBlocks SplitLevel(Level& level, const NewBlocks& children, BlockSupply& supply,
                       BlockCalls& calls);
  void AddRoot(const NewBlocks& children, BlockSupply& supply, BlockCalls& calls);

  TreeParts parts_;
  Path* path_;
  absl::InlinedVector<Level, 2> levels_;  // changed ones, from the lowest up
  Separators root_separators_;            // not empty: a new root is made
  uint32_t new_blocks_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_INDEX_GROWTH_H_
