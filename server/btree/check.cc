// Tree::Check: one walk over all blocks, in key order, then one over the bitmaps.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quire/text.h"
#include "server/btree/bitmap.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"
#include "server/btree/search.h"
#include "server/btree/tree.h"

namespace quire {
namespace {

// What the entry that leads to a block says of the keys below it: [lower, upper).
struct Bounds {
  std::string_view lower;
  std::optional<std::string_view> upper;

  bool Contain(std::string_view key) const { return key >= lower && (!upper || key < *upper); }
};

class TreeCheck {
 public:
  explicit TreeCheck(const TreeParts& parts)
      : parts_(parts), state_(*parts.state), reached_(parts.state->eof_blocks, false) {}

  absl::Status Run();

 private:
  absl::Status Visit(BlockNumber block, uint32_t level, const Bounds& bounds);
  absl::Status VisitIndex(BlockView& view, BlockNumber block, uint32_t level, const Bounds& bounds);
  absl::Status VisitData(BlockView& view, BlockNumber block, const Bounds& bounds);
  absl::Status CheckFreeBytes(absl::Span<const char> image, const BlockView& view,
                              BlockNumber block) const;
  absl::Status CheckBitmap(BlockNumber bitmap);
  absl::Status CheckTotals() const;
  absl::StatusOr<Pin> Read(BlockNumber block, BlockUse use) {
    return parts_.cache->Read(*parts_.file, block, use, not_counted_);
  }
  absl::Status Bad(BlockNumber block, std::string_view reason) const {
    return btree_error::BadBlock(parts_.file->id, block, reason);
  }

  TreeParts parts_;
  const TreeState& state_;
  BlockCalls not_counted_;
  std::vector<bool> reached_;  // by block number
  uint64_t records_ = 0;
  uint64_t free_blocks_ = 0;
  std::string last_key_;
  BlockNumber last_leaf_ = 0;
  BlockNumber last_leaf_next_ = 0;  // its forward link
};

absl::Status TreeCheck::Run() {
  if (state_.index_levels > kMaxIndexLevels || (state_.root == 0 && state_.index_levels != 0)) {
    return btree_error::BadState(parts_.file->id, "the number of index levels cannot be");
  }
  if (state_.root != 0) {
    if (absl::Status status = Visit(state_.root, state_.index_levels, Bounds{}); !status.ok()) {
      return status;
    }
    if (last_leaf_next_ != 0) return Bad(last_leaf_, "it is the last data block, but chained on");
  }
  const uint32_t interval = BitmapInterval(parts_.file->image_bytes);
  for (uint64_t bitmap = 0; bitmap < state_.eof_blocks; bitmap += interval) {
    absl::Status status = CheckBitmap(static_cast<BlockNumber>(bitmap));
    if (!status.ok()) return status;
  }
  return CheckTotals();
}

absl::Status TreeCheck::Visit(BlockNumber block, uint32_t level, const Bounds& bounds) {
  if (block == 0 || block >= state_.eof_blocks) return Bad(block, "the file has no such block");
  if (reached_[block]) return Bad(block, "it is reached twice");
  reached_[block] = true;
  const absl::StatusOr<Pin> pin = Read(block, level > 0 ? BlockUse::kIndex : BlockUse::kScanned);
  if (!pin.ok()) return pin.status();
  BlockView view(pin->image());
  if (const char* reason = WrongBlock(view, static_cast<uint8_t>(level))) return Bad(block, reason);
  const uint32_t shortest = level > 0 ? kChildBytes : parts_.key.end();
  if (!view.Validate(shortest)) return Bad(block, "its slots are out of order");
  if (absl::Status s = CheckFreeBytes(pin->image(), view, block); !s.ok()) return s;
  return level > 0 ? VisitIndex(view, block, level, bounds) : VisitData(view, block, bounds);
}

absl::Status TreeCheck::CheckFreeBytes(absl::Span<const char> image, const BlockView& view,
                                       BlockNumber block) const {
  const char* begin = image.data() + view.used_end();
  const bool zeros = std::all_of(begin, begin + view.free_bytes(), [](char c) { return c == 0; });
  return zeros ? absl::OkStatus() : Bad(block, "its free bytes are not zeros");
}

absl::Status TreeCheck::VisitIndex(BlockView& view, BlockNumber block, uint32_t level,
                                   const Bounds& bounds) {
  if (view.previous() != 0 || view.next() != 0)
    return Bad(block, "an index block with chain links");
  // What the first entry keeps is never looked at: its bound is that of the block.
  for (uint32_t i = 1; i < view.count(); ++i) {
    const std::string_view separator = view.Separator(i);
    const std::string_view before = i == 1 ? bounds.lower : view.Separator(i - 1);
    if (!bounds.Contain(separator) || separator <= before) {
      return Bad(block, StrCat("entry ", i, " is out of order or out of its parent's bounds"));
    }
  }
  for (uint32_t i = 0; i < view.count(); ++i) {
    Bounds below = bounds;
    if (i > 0) below.lower = view.Separator(i);
    if (i + 1 < view.count()) below.upper = view.Separator(i + 1);
    if (absl::Status status = Visit(view.Child(i), level - 1, below); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status TreeCheck::VisitData(BlockView& view, BlockNumber block, const Bounds& bounds) {
  if (view.previous() != last_leaf_)
    return Bad(block, "its backward link is not that of the chain");
  if (last_leaf_ != 0 && last_leaf_next_ != block) {
    return Bad(last_leaf_, "its forward link is not that of the chain");
  }
  for (uint32_t i = 0; i < view.count(); ++i) {
    const std::string_view key = view.Key(i, parts_.key);
    if (records_ > 0 && key <= last_key_) {
      return Bad(block, StrCat("record ", i, " is out of order"));
    }
    if (!bounds.Contain(key)) {
      return Bad(block, StrCat("record ", i, " is out of its parent's bounds"));
    }
    last_key_.assign(key);
    ++records_;
  }
  last_leaf_ = block;
  last_leaf_next_ = view.next();
  return absl::OkStatus();
}

absl::Status TreeCheck::CheckBitmap(BlockNumber bitmap) {
  if (reached_[bitmap]) return Bad(bitmap, "a bitmap that the tree leads to");
  const absl::StatusOr<Pin> pin = Read(bitmap, BlockUse::kIndex);
  if (!pin.ok()) return pin.status();
  if (const char* reason = WrongBlock(BlockView(pin->image()), kBitmapLevel)) {
    return Bad(bitmap, reason);
  }
  const uint32_t interval = BitmapInterval(parts_.file->image_bytes);
  for (uint32_t i = 1; i < interval; ++i) {
    const uint64_t block = uint64_t{bitmap} + i;
    const bool free = IsFree(pin->image(), static_cast<BlockNumber>(block));
    if (block >= state_.eof_blocks) {
      if (!free) return Bad(bitmap, StrCat("block ", block, " beyond EOF is marked used"));
      continue;
    }
    if (free == reached_[block]) {
      return Bad(static_cast<BlockNumber>(block),
                 free ? "it is in use but marked free" : "it is marked used but not reached");
    }
    if (!free) continue;
    ++free_blocks_;
    if (bitmap < state_.free_hint) return Bad(bitmap, "it has free blocks, but the hint is above");
  }
  return absl::OkStatus();
}

absl::Status TreeCheck::CheckTotals() const {
  if (records_ != state_.record_count) {
    return btree_error::BadState(parts_.file->id, StrCat("the label counts ", state_.record_count,
                                                         " records, the blocks hold ", records_));
  }
  if (free_blocks_ != state_.free_blocks) {
    return btree_error::BadState(parts_.file->id,
                                 StrCat("the label counts ", state_.free_blocks,
                                        " free blocks, the bitmaps hold ", free_blocks_));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Tree::Check() {
  return TreeCheck(parts_).Run();
}

}  // namespace quire
