// Tree::Update: one write call where the record still fits into its block, else a split.
#include "server/base/check.h"
#include "server/btree/block_edit.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"
#include "server/btree/leaf_split.h"
#include "server/btree/tree.h"

namespace quire {

absl::Status Tree::Update(std::string_view record, BlockCalls& calls) {
  const auto length = static_cast<uint32_t>(record.size());
  QUIRE_CHECK(length >= parts_.key.end() && RecordCost(length) <= parts_.capacity());
  const std::string_view key = parts_.key.Of(record);
  if (parts_.state->root == 0) return btree_error::RecordNotFound(key);
  Path path;
  absl::StatusOr<Pin> leaf = FetchLeaf(key, calls, &path);
  if (!leaf.ok()) return leaf.status();
  BlockView view(leaf->image());
  const RecordSlot found = FindRecord(view, parts_.key, key);
  if (!found.exact) return btree_error::RecordNotFound(key);
  if (length <= view.Item(found.slot).size() + view.free_bytes()) {
    if (absl::Status status = CheckRoomForOne(); !status.ok()) return status;
    ReplaceItem(parts_.cache->BeginWrite(*parts_.file, *leaf, calls), found.slot, record);
  } else {
    const MisfitRecord misfit{record, found.slot, /*replaces=*/true};
    if (absl::Status status = SplitLeaf(&path, &*leaf, misfit, calls); !status.ok()) return status;
  }
  ++version_;
  return absl::OkStatus();
}

}  // namespace quire
