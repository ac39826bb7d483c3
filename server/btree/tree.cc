#include "server/btree/tree.h"

#include <utility>

#include "server/btree/block_view.h"
#include "server/btree/errors.h"
#include "server/btree/leaf_split.h"

namespace quire {

Tree::Tree(BlockCache* cache, const CachedFile* file, KeyField key, TreeState* state,
           GrowthGate gate)
    : parts_{cache, file, key, state}, gate_(std::move(gate)) {}

absl::StatusOr<Pin> Tree::FetchLeaf(std::string_view key, BlockCalls& calls, Path* path) {
  const absl::StatusOr<BlockNumber> leaf = Descend(parts_, DescentTarget{key}, calls, path);
  if (!leaf.ok()) return leaf.status();
  absl::StatusOr<Pin> pin = parts_.cache->FetchForWrite(*parts_.file, *leaf, BlockUse::kData);
  if (!pin.ok()) return pin.status();
  BlockView view(pin->image());
  if (const char* reason = WrongBlock(view, kDataLevel)) {
    return btree_error::BadBlock(parts_.file->id, *leaf, reason);
  }
  if (!view.Validate(parts_.key.end())) {
    return btree_error::BadBlock(parts_.file->id, *leaf, "its slots are out of order");
  }
  return *std::move(pin);
}

absl::Status Tree::CheckRoomForOne() const {
  return parts_.cache->HasRoomFor(*parts_.file, 1) ? absl::OkStatus() : btree_error::NoFrames(1);
}

absl::Status Tree::SplitLeaf(Path* path, Pin* leaf, const MisfitRecord& misfit, BlockCalls& calls) {
  LeafSplit split(parts_, path, leaf, misfit);
  if (absl::Status status = split.Plan(gate_); !status.ok()) return status;
  split.Run(calls);
  CountLabelCall(calls);
  return absl::OkStatus();
}

void Tree::CountLabelCall(BlockCalls& calls) {
  ++calls.driver_output_calls;
  if (parts_.file->write_through || !label_dirty_) {
    ++calls.cache_write_cleans;
  } else {
    ++calls.cache_write_hits;
  }
  label_dirty_ = !parts_.file->write_through;
}

}  // namespace quire
