// Tree::Check: the walk of tree_walk.h over the blocks as the cache has them.
#include <cstring>

#include "server/btree/tree.h"
#include "server/btree/tree_walk.h"

namespace quire {
namespace {

// The store has verified what came from there, so a cached image is the block it is cached as.
class CachedBlocks : public BlockSource {
 public:
  explicit CachedBlocks(const TreeParts& parts) : parts_(parts) {}

  absl::Status Read(BlockNumber block, uint32_t level, absl::Span<char> image) override {
    const BlockUse use = level > 0 ? BlockUse::kIndex : BlockUse::kScanned;
    const absl::StatusOr<Pin> pin = parts_.cache->Read(*parts_.file, block, use, not_counted_);
    if (!pin.ok()) return pin.status();
    std::memcpy(image.data(), pin->image().data(), image.size());
    return absl::OkStatus();
  }

 private:
  const TreeParts& parts_;
  BlockCalls not_counted_;
};

}  // namespace

absl::Status Tree::Check() {
  CachedBlocks blocks(parts_);
  return WalkTree({.file = parts_.file->id,
                   .image_bytes = parts_.file->image_bytes,
                   .key = parts_.key,
                   .range = {},
                   .state = *parts_.state},
                  blocks)
      .status;
}

}  // namespace quire
