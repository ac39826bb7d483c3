// The data blocks that follow one in key order, as the index knows them: to be read ahead.
#ifndef QUIRE_SERVER_BTREE_UPCOMING_LEAVES_H_
#define QUIRE_SERVER_BTREE_UPCOMING_LEAVES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quire/key_range.h"
#include "server/base/ids.h"
#include "server/btree/block_view.h"
#include "server/btree/tree_state.h"

namespace quire {

// Where from, which way, and how far.
struct UpcomingRequest {
  std::string_view key;  // of a record in the block that is being read
  bool reverse = false;
  const KeyRange* range = nullptr;  // beyond it nothing is wanted
  uint32_t skip = 0;                // of the blocks that follow: the next so many are known already
  uint32_t count = 0;               // and so many after those are wanted
};

// For one search. Reads index blocks only, counts nothing and leaves the cache as it is; whatever
// is wrong with them ends the search and is told to nobody: who needs them will find it.
class UpcomingLeaves {
 public:
  UpcomingLeaves(const TreeParts& parts, const UpcomingRequest& request);

  // Appends what is found to `leaves`, in the order in which they will be read; false when these
  // were the last.
  bool Find(std::vector<BlockNumber>* leaves);

 private:
  // Goes through the leaves under `block` behind the key's, or through all of them. False: enough,
  // or no more.
  bool Walk(BlockNumber block, uint32_t level, bool behind_key);
  bool Add(BlockNumber leaf);
  // Whether the range ends before the entry, the way the search goes.
  bool IsBeyond(BlockView& view, int32_t slot) const;

  const TreeParts& parts_;
  const UpcomingRequest request_;
  const int32_t step_;
  uint32_t skipped_ = 0;
  uint32_t found_ = 0;
  std::vector<BlockNumber>* leaves_ = nullptr;
  std::vector<std::string> images_;  // by level: of index blocks that the cache does not hold
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_UPCOMING_LEAVES_H_
