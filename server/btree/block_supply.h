// Takes blocks for a growing tree and gives back those of a shrinking one. Both first reserve, when
// everything that can fail does, and then act, which cannot fail.
//
// The block taken is the lowest free one below EOF, else the one at EOF; where EOF stands on a
// bitmap position the bitmap is made first (R-B4, R-D11).
#ifndef QUIRE_SERVER_BTREE_BLOCK_SUPPLY_H_
#define QUIRE_SERVER_BTREE_BLOCK_SUPPLY_H_

#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/btree/tree_state.h"
#include "server/cache/block_cache.h"
#include "server/counters/block_calls.h"

namespace quire {

// Pins of the bitmaps an operation changes. Fetching counts nothing.
class BitmapSet {
 public:
  explicit BitmapSet(const TreeParts& parts) : parts_(parts) {}

  // Pins the bitmap standing at `bitmap`, once; 59 when there is something else.
  absl::StatusOr<Pin*> Fetch(BlockNumber bitmap);
  // Takes over a bitmap just made.
  void Add(Pin pin) { pins_.push_back(std::move(pin)); }
  // One write call: marks `block`, whose bitmap must be here.
  void Mark(BlockNumber block, bool free, BlockCalls& calls);
  uint32_t size() const { return static_cast<uint32_t>(pins_.size()); }

 private:
  Pin* Find(BlockNumber bitmap);

  TreeParts parts_;
  absl::InlinedVector<Pin, 2> pins_;
};

class BlockSupply {
 public:
  explicit BlockSupply(const TreeParts& parts) : parts_(parts), bitmaps_(parts) {}

  // Chooses `blocks` blocks; nothing is changed and nothing counted. Once per supply.
  absl::Status Reserve(uint32_t blocks);
  // 59 when `block`, which is in use, is among those chosen: a bitmap that is wrong.
  absl::Status CheckNotChosen(BlockNumber block) const;
  uint32_t eof_blocks() const { return eof_blocks_; }  // once all are taken
  // Frames that taking all of them creates or changes.
  uint32_t frames() const;

  // The block that the next Take gives.
  BlockNumber upcoming() const { return chosen_[taken_]; }
  // The next block of those reserved, formatted. Counts R-C1's calls of an allocation: the bitmap
  // one write, the block one read and one write; a bitmap made on the way the same as the block.
  Pin Take(uint8_t level, BlockUse use, BlockCalls& calls);

 private:
  absl::Status ReserveFree(uint32_t blocks);
  void ReserveAtEof(uint32_t blocks);
  Pin CreateFormatted(BlockNumber block, uint8_t level, BlockUse use, BlockCalls& calls);

  TreeParts parts_;
  BitmapSet bitmaps_;
  absl::InlinedVector<BlockNumber, 4> chosen_;
  size_t taken_ = 0;
  uint32_t eof_blocks_ = 0;
  uint32_t new_bitmaps_ = 0;
};

class BlockReturn {
 public:
  explicit BlockReturn(const TreeParts& parts) : parts_(parts), bitmaps_(parts) {}

  // Prepares that `block`, one in use, will be given back.
  absl::Status Reserve(BlockNumber block);
  uint32_t frames() const { return bitmaps_.size(); }

  // One write call, of the bitmap. Nobody may hold a pin of the block.
  void GiveBack(BlockNumber block, BlockCalls& calls);

 private:
  TreeParts parts_;
  BitmapSet bitmaps_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_BLOCK_SUPPLY_H_
