// A place among the records of a tree while the tree stands still: found by key, moved from record
// to record along the chain.
#ifndef QUIRE_SERVER_BTREE_SEEK_H_
#define QUIRE_SERVER_BTREE_SEEK_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "server/btree/block_view.h"
#include "server/btree/tree_state.h"
#include "server/cache/block_cache.h"
#include "server/counters/block_calls.h"

namespace quire {

// The nearest record to look for: upwards the first with key >= `key`, downwards the last with
// key <= `key`; without `inclusive` one with exactly `key` is passed over. With `open` the first or
// last record of all.
struct SeekBound {
  std::string_view key;
  bool inclusive = true;
  bool open = false;
};

// Pins one data block. Every block is checked on arrival: level, bounds, links, and that its keys
// go on in order, so a damaged chain ends in 59 and never in a circle.
class LeafPosition {
 public:
  LeafPosition(const TreeParts& parts, bool reverse, BlockUse use)
      : parts_(parts), reverse_(reverse), use_(use) {}

  // Counts the descent, one read call for the data block, and one more where the record lies in the
  // block beside it.
  absl::Status Seek(const SeekBound& bound, BlockCalls& calls);
  // Back to record `slot` of `leaf`, where this position stood at the same version of the tree. One
  // read call. `slot` may lie one beyond the records, either way: then Step's rule holds.
  absl::Status Resume(BlockNumber leaf, int32_t slot, BlockCalls& calls);
  // On to the next record in the direction; one read call where it lies in the block beside.
  absl::Status Step(BlockCalls& calls);

  bool at_end() const { return !pin_; }  // no such record
  BlockNumber leaf() const { return pin_.block(); }
  int32_t slot() const { return slot_; }
  bool last_in_leaf() const;   // Step would leave this block
  bool last_in_chain() const;  // … and there is none beside it
  // Views into the pinned block, valid until the position is moved or the block is changed.
  absl::Status Get(std::string_view* record, std::string_view* key) const;

 private:
  absl::Status Load(BlockNumber leaf, BlockCalls& calls);
  // Moves to the block beside when `slot_` is beyond this one's records.
  absl::Status Settle(BlockCalls& calls);
  // That the block just loaded follows `from` in the chain and in key order.
  absl::Status CheckNeighbour(const Pin& from) const;
  bool Beyond() const;

  TreeParts parts_;
  bool reverse_;
  BlockUse use_;
  Pin pin_;
  int32_t slot_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_SEEK_H_
