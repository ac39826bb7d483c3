#include "server/btree/search.h"

#include <utility>

#include "quire/text.h"
#include "server/base/compare.h"
#include "server/btree/errors.h"

namespace quire {

RecordSlot FindRecord(BlockView& view, const KeyField& field, std::string_view key) {
  RecordSlot found;
  uint32_t limit = view.count();
  while (found.slot < limit) {
    const uint32_t middle = (found.slot + limit) / 2;
    const int order = CompareKeys(view.Key(middle, field), key);
    if (order < 0) {
      found.slot = middle + 1;
    } else {
      limit = middle;
      // Keys are unique: the search ends here, whatever lies between.
      if (order == 0) return RecordSlot{middle, true};
    }
  }
  return found;
}

uint32_t FindChild(BlockView& view, std::string_view key) {
  uint32_t slot = 0;
  uint32_t limit = view.count();
  while (slot + 1 < limit) {
    const uint32_t middle = (slot + limit) / 2;
    if (CompareKeys(view.Separator(middle), key) <= 0) {
      slot = middle;
    } else {
      limit = middle;
    }
  }
  return slot;
}

const char* WrongBlock(const BlockView& view, uint8_t level) {
  if (view.level() != level) return "it is not of the level its place asks for";
  if (view.damaged()) return "its record count is greater than a block can hold";
  if (level != kBitmapLevel && view.count() == 0) return "it is in use but holds nothing";
  return nullptr;
}

absl::StatusOr<BlockNumber> Descend(const TreeParts& parts, const DescentTarget& target,
                                    BlockCalls& calls, Path* path) {
  const TreeState& state = *parts.state;
  if (state.index_levels > kMaxIndexLevels) {
    return btree_error::BadState(parts.file->id,
                                 StrCat(state.index_levels, " index levels cannot be"));
  }
  if (state.root >= state.eof_blocks) {
    return btree_error::BadState(parts.file->id, "its root lies beyond its EOF");
  }
  BlockNumber block = state.root;
  // The level falls by one with each step, so damaged links cannot lead round in a circle.
  for (uint32_t level = state.index_levels; level > 0; --level) {
    absl::StatusOr<Pin> pin = parts.cache->Read(*parts.file, block, BlockUse::kIndex, calls);
    if (!pin.ok()) return pin.status();
    BlockView view(pin->image());
    if (const char* reason = WrongBlock(view, static_cast<uint8_t>(level))) {
      return btree_error::BadBlock(parts.file->id, block, reason);
    }
    const uint32_t slot = target.last ? view.count() - 1 : FindChild(view, target.key);
    const BlockNumber child = view.Child(slot);
    if (view.damaged()) {
      return btree_error::BadBlock(parts.file->id, block, "its slots are out of bounds");
    }
    if (child == 0 || child >= state.eof_blocks) {
      return btree_error::BadBlock(
          parts.file->id, block,
          StrCat("entry ", slot, " leads to block ", child, ", which the file does not have"));
    }
    if (path != nullptr) path->push_back({*std::move(pin), slot});
    block = child;
  }
  return block;
}

}  // namespace quire
