#include "server/btree/upcoming_leaves.h"

#include "server/btree/search.h"

namespace quire {

UpcomingLeaves::UpcomingLeaves(const TreeParts& parts, const UpcomingRequest& request)
    : parts_(parts), request_(request), step_(request.reverse ? -1 : 1) {}

bool UpcomingLeaves::Find(std::vector<BlockNumber>* leaves) {
  const TreeState& state = *parts_.state;
  if (state.index_levels == 0 || state.index_levels > kMaxIndexLevels) return false;
  leaves_ = leaves;
  images_.resize(state.index_levels);
  Walk(state.root, state.index_levels, /*behind_key=*/true);
  return found_ == request_.count;
}

bool UpcomingLeaves::Walk(BlockNumber block, uint32_t level, bool behind_key) {
  std::string& scratch = images_[level - 1];
  if (!parts_.cache->Holds(*parts_.file, block)) scratch.resize(parts_.file->image_bytes);
  const absl::StatusOr<absl::Span<const char>> image =
      parts_.cache->Look(*parts_.file, block, absl::MakeSpan(scratch.data(), scratch.size()));
  if (!image.ok()) return false;
  BlockView view(*image);
  if (WrongBlock(view, static_cast<uint8_t>(level)) != nullptr) return false;
  const auto count = static_cast<int32_t>(view.count());
  int32_t slot = request_.reverse ? count - 1 : 0;
  if (behind_key) {
    slot = static_cast<int32_t>(FindChild(view, request_.key));
    if (level > 1 && !Walk(view.Child(static_cast<uint32_t>(slot)), level - 1, true)) return false;
    slot += step_;
  }
  for (; slot >= 0 && slot < count; slot += step_) {
    if (IsBeyond(view, slot)) return false;
    const BlockNumber child = view.Child(static_cast<uint32_t>(slot));
    if (view.damaged() || child == 0 || child >= parts_.state->eof_blocks) return false;
    if (level == 1 ? !Add(child) : !Walk(child, level - 1, false)) return false;
  }
  return true;
}

bool UpcomingLeaves::Add(BlockNumber leaf) {
  if (skipped_ < request_.skip) {
    ++skipped_;
    return true;
  }
  leaves_->push_back(leaf);
  return ++found_ < request_.count;
}

bool UpcomingLeaves::IsBeyond(BlockView& view, int32_t slot) const {
  if (!request_.reverse) {
    // The first entry of a block stands for "lowest", whatever it keeps.
    return slot > 0 && !request_.range->limit.empty() &&
           view.Separator(static_cast<uint32_t>(slot)) >= request_.range->limit;
  }
  // The entry after it begins where this one ends.
  const auto after = static_cast<uint32_t>(slot) + 1;
  return after < view.count() && view.Separator(after) <= request_.range->start;
}

}  // namespace quire
