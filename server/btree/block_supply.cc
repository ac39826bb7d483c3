#include "server/btree/block_supply.h"

#include <algorithm>
#include <utility>

#include "quire/text.h"
#include "server/base/block_header.h"
#include "server/base/check.h"
#include "server/btree/bitmap.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"
#include "server/btree/search.h"

namespace quire {
namespace {

constexpr const char* kUsedButFree = "it is in use but marked free";

}  // namespace

Pin* BitmapSet::Find(BlockNumber bitmap) {
  for (Pin& pin : pins_) {
    if (pin.block() == bitmap) return &pin;
  }
  return nullptr;
}

absl::StatusOr<Pin*> BitmapSet::Fetch(BlockNumber bitmap) {
  if (Pin* pin = Find(bitmap); pin != nullptr) return pin;
  absl::StatusOr<Pin> pin = parts_.cache->FetchForWrite(*parts_.file, bitmap, BlockUse::kIndex);
  if (!pin.ok()) return pin.status();
  if (const char* reason = WrongBlock(BlockView(pin->image()), kBitmapLevel)) {
    return btree_error::BadBlock(parts_.file->id, bitmap, reason);
  }
  pins_.push_back(*std::move(pin));
  return &pins_.back();
}

void BitmapSet::Mark(BlockNumber block, bool free, BlockCalls& calls) {
  Pin* pin = Find(BitmapOf(block, parts_.file->image_bytes));
  QUIRE_CHECK(pin != nullptr);
  SetFree(parts_.cache->BeginWrite(*parts_.file, *pin, calls), block, free);
}

absl::Status BlockSupply::Reserve(uint32_t blocks) {
  eof_blocks_ = parts_.state->eof_blocks;
  const uint32_t from_free = std::min(blocks, parts_.state->free_blocks);
  if (absl::Status status = ReserveFree(from_free); !status.ok()) return status;
  if (blocks == from_free) return absl::OkStatus();
  // A bitmap that exists already must be here before the first change.
  const uint32_t image_bytes = parts_.file->image_bytes;
  if (!IsBitmapBlock(eof_blocks_, image_bytes)) {
    absl::StatusOr<Pin*> pin = bitmaps_.Fetch(BitmapOf(eof_blocks_, image_bytes));
    if (!pin.ok()) return pin.status();
  }
  ReserveAtEof(blocks - from_free);
  return absl::OkStatus();
}

absl::Status BlockSupply::ReserveFree(uint32_t blocks) {
  const uint32_t interval = BitmapInterval(parts_.file->image_bytes);
  const BlockNumber limit = parts_.state->eof_blocks;
  BlockNumber bitmap = BitmapOf(parts_.state->free_hint, parts_.file->image_bytes);
  BlockNumber from = bitmap + 1;
  while (chosen_.size() < blocks) {
    if (bitmap >= limit) {
      return btree_error::BadState(parts_.file->id,
                                   "the bitmaps hold fewer free blocks than counted");
    }
    absl::StatusOr<Pin*> pin = bitmaps_.Fetch(bitmap);
    if (!pin.ok()) return pin.status();
    const BlockNumber block = FindFree((*pin)->image(), bitmap, from, limit);
    if (block != 0) {
      chosen_.push_back(block);
      from = block + 1;
    } else {
      bitmap += interval;
      from = bitmap + 1;
    }
  }
  return absl::OkStatus();
}

void BlockSupply::ReserveAtEof(uint32_t blocks) {
  for (uint32_t i = 0; i < blocks; ++i) {
    if (IsBitmapBlock(eof_blocks_, parts_.file->image_bytes)) {
      ++eof_blocks_;
      ++new_bitmaps_;
    }
    chosen_.push_back(eof_blocks_++);
  }
}

absl::Status BlockSupply::CheckNotChosen(BlockNumber block) const {
  const bool chosen = std::find(chosen_.begin(), chosen_.end(), block) != chosen_.end();
  return chosen ? btree_error::BadBlock(parts_.file->id, block, kUsedButFree) : absl::OkStatus();
}

uint32_t BlockSupply::frames() const {
  return bitmaps_.size() + new_bitmaps_ + static_cast<uint32_t>(chosen_.size());
}

Pin BlockSupply::CreateFormatted(BlockNumber block, uint8_t level, BlockUse use,
                                 BlockCalls& calls) {
  absl::StatusOr<Pin> pin = parts_.cache->Create(*parts_.file, block, use, calls);
  QUIRE_CHECK(pin.ok());  // the caller asked HasRoomFor
  FormatImage(parts_.cache->BeginWrite(*parts_.file, *pin, calls), parts_.file->id, block, level);
  return *std::move(pin);
}

Pin BlockSupply::Take(uint8_t level, BlockUse use, BlockCalls& calls) {
  QUIRE_CHECK(taken_ < chosen_.size());
  TreeState& state = *parts_.state;
  const BlockNumber block = chosen_[taken_++];
  const BlockNumber bitmap = BitmapOf(block, parts_.file->image_bytes);
  if (block < state.eof_blocks) {
    --state.free_blocks;
    state.free_hint = bitmap;
  } else {
    if (bitmap == state.eof_blocks) {
      Pin made = CreateFormatted(bitmap, kBitmapLevel, BlockUse::kIndex, calls);
      SetAllFree(parts_.cache->BeginWrite(*parts_.file, made, calls));
      bitmaps_.Add(std::move(made));
    }
    state.eof_blocks = block + 1;
  }
  bitmaps_.Mark(block, false, calls);
  return CreateFormatted(block, level, use, calls);
}

absl::Status BlockReturn::Reserve(BlockNumber block) {
  absl::StatusOr<Pin*> pin = bitmaps_.Fetch(BitmapOf(block, parts_.file->image_bytes));
  if (!pin.ok()) return pin.status();
  if (IsFree((*pin)->image(), block)) {
    return btree_error::BadBlock(parts_.file->id, block, kUsedButFree);
  }
  return absl::OkStatus();
}

void BlockReturn::GiveBack(BlockNumber block, BlockCalls& calls) {
  bitmaps_.Mark(block, true, calls);
  parts_.cache->Discard(*parts_.file, block);
  TreeState& state = *parts_.state;
  const BlockNumber bitmap = BitmapOf(block, parts_.file->image_bytes);
  state.free_hint = state.free_blocks == 0 ? bitmap : std::min(state.free_hint, bitmap);
  ++state.free_blocks;
}

}  // namespace quire
