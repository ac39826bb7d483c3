#include "server/btree/leaf_removal.h"

#include <string>
#include <utility>

#include "server/base/check.h"
#include "server/btree/block_edit.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"

namespace quire {

LeafRemoval::LeafRemoval(const TreeParts& parts, Path* path, Pin* leaf)
    : parts_(parts), path_(path), leaf_(leaf), returns_(parts) {}

absl::StatusOr<Pin> LeafRemoval::FetchNeighbour(BlockNumber neighbour, bool to_left) const {
  const FileId file = parts_.file->id;
  if (neighbour == leaf_->block() || neighbour >= parts_.state->eof_blocks) {
    return btree_error::BadBlock(file, leaf_->block(), "its chain links lead nowhere");
  }
  absl::StatusOr<Pin> pin = parts_.cache->FetchForWrite(*parts_.file, neighbour, BlockUse::kData);
  if (!pin.ok()) return pin.status();
  const BlockView view(pin->image());
  if (const char* reason = WrongBlock(view, kDataLevel)) {
    return btree_error::BadBlock(file, neighbour, reason);
  }
  if ((to_left ? view.next() : view.previous()) != leaf_->block()) {
    return btree_error::BadBlock(file, neighbour, "its chain link does not lead back");
  }
  return pin;
}

absl::Status LeafRemoval::FetchNeighbours() {
  const BlockView view(leaf_->image());
  if (view.previous() != 0) {
    absl::StatusOr<Pin> pin = FetchNeighbour(view.previous(), /*to_left=*/true);
    if (!pin.ok()) return pin.status();
    previous_ = *std::move(pin);
  }
  if (view.next() != 0) {
    absl::StatusOr<Pin> pin = FetchNeighbour(view.next(), /*to_left=*/false);
    if (!pin.ok()) return pin.status();
    next_ = *std::move(pin);
  }
  return absl::OkStatus();
}

absl::Status LeafRemoval::PlanIndex(BlockCalls& calls) {
  root_ = parts_.state->root;
  index_levels_ = parts_.state->index_levels;
  for (size_t i = path_->size(); i > 0; --i) {
    PathStep& step = (*path_)[i - 1];
    BlockView view(step.pin.image());
    if (!view.Validate(kChildBytes)) {
      return btree_error::BadBlock(parts_.file->id, step.pin.block(), "its slots are out of order");
    }
    if (view.count() > 1) {
      keeper_ = &step;
      const bool is_root = i == 1;
      return is_root && view.count() == 2 ? PlanRoot(step, calls) : absl::OkStatus();
    }
    ++emptied_;
  }
  if (previous_ || next_) {
    return btree_error::BadBlock(parts_.file->id, leaf_->block(),
                                 "it is the only block of its tree, but chained to another");
  }
  root_ = 0;
  index_levels_ = 0;
  return absl::OkStatus();
}

absl::Status LeafRemoval::CheckChild(BlockNumber parent, BlockNumber child) const {
  if (child != 0 && child < parts_.state->eof_blocks) return absl::OkStatus();
  return btree_error::BadBlock(parts_.file->id, parent, "it leads to a block the file has not");
}

absl::Status LeafRemoval::PlanRoot(const PathStep& keeper, BlockCalls& calls) {
  BlockNumber single = BlockView(keeper.pin.image()).Child(keeper.slot == 0 ? 1 : 0);
  while (true) {
    if (absl::Status status = CheckChild(root_, single); !status.ok()) return status;
    old_roots_.push_back(root_);
    root_ = single;
    --index_levels_;
    if (index_levels_ == 0) return absl::OkStatus();
    absl::StatusOr<Pin> pin = parts_.cache->Read(*parts_.file, root_, BlockUse::kIndex, calls);
    if (!pin.ok()) return pin.status();
    BlockView view(pin->image());
    if (const char* reason = WrongBlock(view, static_cast<uint8_t>(index_levels_))) {
      return btree_error::BadBlock(parts_.file->id, root_, reason);
    }
    if (view.count() > 1) return absl::OkStatus();
    single = view.Child(0);  // 0 when damaged, which CheckChild refuses
  }
}

absl::Status LeafRemoval::Plan(BlockCalls& calls) {
  if (absl::Status status = FetchNeighbours(); !status.ok()) return status;
  if (absl::Status status = PlanIndex(calls); !status.ok()) return status;
  if (absl::Status status = returns_.Reserve(leaf_->block()); !status.ok()) return status;
  for (size_t i = 0; i < emptied_; ++i) {
    const PathStep& step = (*path_)[path_->size() - 1 - i];
    if (absl::Status status = returns_.Reserve(step.pin.block()); !status.ok()) return status;
  }
  for (BlockNumber block : old_roots_) {
    if (absl::Status status = returns_.Reserve(block); !status.ok()) return status;
  }
  const uint32_t frames = returns_.frames() + 1 + static_cast<uint32_t>(emptied_) +
                          (previous_ ? 1 : 0) + (next_ ? 1 : 0) + (keeper_ != nullptr ? 1 : 0);
  if (!parts_.cache->HasRoomFor(*parts_.file, frames)) return btree_error::NoFrames(frames);
  return absl::OkStatus();
}

void LeafRemoval::Run(BlockCalls& calls) {
  const BlockView view(leaf_->image());
  const BlockNumber previous = view.previous();
  const BlockNumber next = view.next();
  Empty(leaf_, calls);
  if (previous_) SetNext(parts_.cache->BeginWrite(*parts_.file, previous_, calls), next);
  if (next_) SetPrevious(parts_.cache->BeginWrite(*parts_.file, next_, calls), previous);
  for (size_t i = 0; i < emptied_; ++i) Empty(&(*path_)[path_->size() - 1 - i].pin, calls);
  if (keeper_ != nullptr) RemoveEntry(*keeper_, calls);
  if (!old_roots_.empty()) keeper_->pin.Release();
  for (BlockNumber block : old_roots_) returns_.GiveBack(block, calls);
  parts_.state->root = root_;
  parts_.state->index_levels = index_levels_;
}

// Takes the only item out of the block and gives the block back.
void LeafRemoval::Empty(Pin* pin, BlockCalls& calls) {
  RemoveItem(parts_.cache->BeginWrite(*parts_.file, *pin, calls), 0);
  const BlockNumber block = pin->block();
  pin->Release();
  returns_.GiveBack(block, calls);
}

// The second entry takes over the key bytes of the first, and with them its lower bound.
void LeafRemoval::RemoveEntry(PathStep& step, BlockCalls& calls) {
  BlockView view(step.pin.image());
  const std::string heir =
      step.slot == 0 ? EncodeEntry(view.Separator(0), view.Child(1)) : std::string();
  const absl::Span<char> image = parts_.cache->BeginWrite(*parts_.file, step.pin, calls);
  RemoveItem(image, step.slot);
  if (step.slot == 0) ReplaceItem(image, 0, heir);
}

}  // namespace quire
