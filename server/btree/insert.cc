// Tree::Insert: one write call where the block has room, else a split.
#include <utility>

#include "server/base/check.h"
#include "server/btree/block_edit.h"
#include "server/btree/block_supply.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"
#include "server/btree/leaf_split.h"
#include "server/btree/tree.h"

namespace quire {

absl::Status Tree::Insert(std::string_view record, BlockCalls& calls) {
  const uint32_t cost = RecordCost(static_cast<uint32_t>(record.size()));
  QUIRE_CHECK(record.size() >= parts_.key.end() && cost <= parts_.capacity());
  if (parts_.state->root == 0) return InsertFirst(record, calls);
  const std::string_view key = parts_.key.Of(record);
  Path path;
  absl::StatusOr<Pin> leaf = FetchLeaf(key, calls, &path);
  if (!leaf.ok()) return leaf.status();
  BlockView view(leaf->image());
  const RecordSlot found = FindRecord(view, parts_.key, key);
  if (found.exact) return btree_error::RecordExists(key);
  if (cost <= view.free_bytes()) {
    if (absl::Status status = CheckRoomForOne(); !status.ok()) return status;
    InsertItem(parts_.cache->BeginWrite(*parts_.file, *leaf, calls), found.slot, record);
  } else {
    const MisfitRecord misfit{record, found.slot, /*replaces=*/false};
    if (absl::Status status = SplitLeaf(&path, &*leaf, misfit, calls); !status.ok()) return status;
  }
  ++parts_.state->record_count;
  ++version_;
  return absl::OkStatus();
}

// The first block of an empty tree is allocated like that of a split, but splits nothing.
absl::Status Tree::InsertFirst(std::string_view record, BlockCalls& calls) {
  BlockSupply supply(parts_);
  if (absl::Status status = supply.Reserve(1); !status.ok()) return status;
  const uint32_t frames = supply.frames();
  if (!parts_.cache->HasRoomFor(*parts_.file, frames)) return btree_error::NoFrames(frames);
  if (supply.eof_blocks() != parts_.state->eof_blocks) {
    if (absl::Status status = gate_(supply.eof_blocks()); !status.ok()) return status;
  }
  Pin pin = supply.Take(kDataLevel, BlockUse::kData, calls);
  InsertItem(parts_.cache->BeginWrite(*parts_.file, pin, calls), 0, record);
  CountLabelCall(calls);
  parts_.state->root = pin.block();
  parts_.state->index_levels = 0;
  ++parts_.state->record_count;
  ++version_;
  return absl::OkStatus();
}

}  // namespace quire
