// Tree::Erase: one write call, and the block's removal when it held nothing else.
#include "server/btree/block_edit.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"
#include "server/btree/leaf_removal.h"
#include "server/btree/tree.h"

namespace quire {

absl::Status Tree::Erase(std::string_view key, BlockCalls& calls) {
  if (parts_.state->root == 0) return btree_error::RecordNotFound(key);
  Path path;
  absl::StatusOr<Pin> leaf = FetchLeaf(key, calls, &path);
  if (!leaf.ok()) return leaf.status();
  BlockView view(leaf->image());
  const RecordSlot found = FindRecord(view, parts_.key, key);
  if (!found.exact) return btree_error::RecordNotFound(key);
  if (view.count() > 1) {
    if (absl::Status status = CheckRoomForOne(); !status.ok()) return status;
    RemoveItem(parts_.cache->BeginWrite(*parts_.file, *leaf, calls), found.slot);
  } else {
    LeafRemoval removal(parts_, &path, &*leaf);
    if (absl::Status status = removal.Plan(calls); !status.ok()) return status;
    removal.Run(calls);
    CountLabelCall(calls);
  }
  --parts_.state->record_count;
  ++version_;
  return absl::OkStatus();
}

}  // namespace quire
