#include "server/btree/leaf_split.h"

#include <string>
#include <utility>

#include "server/base/check.h"
#include "server/btree/block_edit.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"

namespace quire {

LeafSplit::LeafSplit(const TreeParts& parts, Path* path, Pin* leaf, const MisfitRecord& misfit)
    : parts_(parts),
      path_(path),
      leaf_(leaf),
      misfit_(misfit),
      index_(parts, path),
      supply_(parts) {}

uint32_t LeafSplit::RecordsToBe(const BlockView& view) const {
  return view.count() + (misfit_.replaces ? 0 : 1);
}

std::string_view LeafSplit::RecordAt(BlockView& view, uint32_t i) const {
  if (i == misfit_.slot) return misfit_.record;
  return view.Item(i > misfit_.slot && !misfit_.replaces ? i - 1 : i);
}

bool LeafSplit::KeepsAll(const BlockView& view) const {
  return !misfit_.replaces && misfit_.slot == view.count();
}

void LeafSplit::Divide(BlockView& view) {
  const uint32_t records = RecordsToBe(view);
  if (KeepsAll(view)) {
    division_ = Division{2, {0, view.count(), records}};
    return;
  }
  absl::InlinedVector<uint32_t, 64> costs;
  for (uint32_t i = 0; i < records; ++i) {
    costs.push_back(RecordCost(static_cast<uint32_t>(RecordAt(view, i).size())));
  }
  division_ = DivideRecords(costs, misfit_.slot, parts_.capacity());
}

absl::Status LeafSplit::FetchNeighbour(BlockNumber neighbour) {
  if (neighbour == 0) return absl::OkStatus();
  const FileId file = parts_.file->id;
  if (neighbour >= parts_.state->eof_blocks || neighbour == leaf_->block()) {
    return btree_error::BadBlock(file, leaf_->block(), "its forward link leads nowhere");
  }
  absl::StatusOr<Pin> pin = parts_.cache->FetchForWrite(*parts_.file, neighbour, BlockUse::kData);
  if (!pin.ok()) return pin.status();
  const BlockView view(pin->image());
  if (const char* reason = WrongBlock(view, kDataLevel)) {
    return btree_error::BadBlock(file, neighbour, reason);
  }
  if (view.previous() != leaf_->block()) {
    return btree_error::BadBlock(file, neighbour, "its backward link is not that of the chain");
  }
  neighbour_ = *std::move(pin);
  return absl::OkStatus();
}

absl::Status LeafSplit::PlanIndex(BlockView& view) {
  Separators separators;
  for (uint32_t piece = 1; piece < division_.pieces; ++piece) {
    const uint32_t first = division_.begin(piece);
    const std::string_view left = parts_.key.Of(RecordAt(view, first - 1));
    const std::string_view right = parts_.key.Of(RecordAt(view, first));
    if (left >= right) {
      return btree_error::BadBlock(parts_.file->id, leaf_->block(), "its records are out of order");
    }
    separators.emplace_back(SeparatorOf(left, right));
  }
  return index_.Plan(std::move(separators));
}

absl::Status LeafSplit::ReserveBlocks() {
  const uint32_t new_blocks = division_.pieces - 1 + index_.new_blocks();
  if (absl::Status status = supply_.Reserve(new_blocks); !status.ok()) return status;
  // A damaged bitmap must not hand out the blocks this very change stands on.
  for (const PathStep& step : *path_) {
    if (absl::Status s = supply_.CheckNotChosen(step.pin.block()); !s.ok()) return s;
  }
  if (absl::Status s = supply_.CheckNotChosen(leaf_->block()); !s.ok()) return s;
  return neighbour_ ? supply_.CheckNotChosen(neighbour_.block()) : absl::OkStatus();
}

absl::Status LeafSplit::Plan(const GrowthGate& gate) {
  BlockView view(leaf_->image());
  Divide(view);
  if (absl::Status status = FetchNeighbour(view.next()); !status.ok()) return status;
  if (absl::Status status = PlanIndex(view); !status.ok()) return status;
  if (absl::Status status = ReserveBlocks(); !status.ok()) return status;
  const uint32_t frames = supply_.frames() + index_.changed_blocks() + 1 + (neighbour_ ? 1 : 0);
  if (!parts_.cache->HasRoomFor(*parts_.file, frames)) return btree_error::NoFrames(frames);
  if (supply_.eof_blocks() == parts_.state->eof_blocks) return absl::OkStatus();
  return gate(supply_.eof_blocks());
}

void LeafSplit::Run(BlockCalls& calls) {
  // Records are read from a copy while their block is rewritten. Where the old block keeps all it
  // has, only the new record moves and nothing needs a copy.
  const absl::Span<const char> image = leaf_->image();
  const bool keeps_all = KeepsAll(BlockView(image));
  const std::string copy = keeps_all ? std::string() : std::string(image.data(), image.size());
  BlockView old(keeps_all ? image : absl::MakeConstSpan(copy));
  const BlockNumber next = old.next();
  const uint32_t kept = keeps_all ? old.count() : 0;  // not in `items`
  absl::InlinedVector<std::string_view, 64> items;
  for (uint32_t i = kept; i < RecordsToBe(old); ++i) items.push_back(RecordAt(old, i));

  NewBlocks made;
  BlockNumber before = leaf_->block();
  for (uint32_t piece = 1; piece < division_.pieces; ++piece) {
    Pin pin = supply_.Take(kDataLevel, BlockUse::kData, calls);
    const absl::Span<char> filled = parts_.cache->BeginWrite(*parts_.file, pin, calls);
    const uint32_t begin = division_.begin(piece);
    WriteItems(filled,
               absl::MakeConstSpan(items).subspan(begin - kept, division_.end(piece) - begin));
    SetPrevious(filled, before);
    SetNext(filled, piece + 1 < division_.pieces ? supply_.upcoming() : next);
    before = pin.block();
    made.push_back(before);
    ++calls.block_splits;
  }
  const absl::Span<char> left = parts_.cache->BeginWrite(*parts_.file, *leaf_, calls);
  if (!keeps_all) WriteItems(left, absl::MakeConstSpan(items).first(division_.end(0)));
  SetNext(left, made.front());
  if (neighbour_) {
    SetPrevious(parts_.cache->BeginWrite(*parts_.file, neighbour_, calls), made.back());
  }
  index_.Run(std::move(made), supply_, calls);
}

}  // namespace quire
