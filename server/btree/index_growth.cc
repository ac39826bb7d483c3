#include "server/btree/index_growth.h"

#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "server/base/check.h"
#include "server/btree/block_edit.h"
#include "server/btree/block_view.h"
#include "server/btree/errors.h"

namespace quire {
namespace {

// The entries of `view` and, behind entry `slot`, `added`: as one list.
template <typename T>
std::vector<T> Merge(uint32_t count, uint32_t slot, absl::Span<const T> added,
                     absl::FunctionRef<T(uint32_t)> old) {
  std::vector<T> all;
  all.reserve(count + added.size());
  for (uint32_t i = 0; i <= slot; ++i) all.push_back(old(i));
  all.insert(all.end(), added.begin(), added.end());
  for (uint32_t i = slot + 1; i < count; ++i) all.push_back(old(i));
  return all;
}

}  // namespace

absl::Status IndexGrowth::Plan(Separators separators) {
  for (size_t i = path_->size(); i > 0 && !separators.empty(); --i) {
    Separators above;
    absl::Status status = PlanLevel((*path_)[i - 1], std::move(separators), &above);
    if (!status.ok()) return status;
    separators = std::move(above);
  }
  if (separators.empty()) return absl::OkStatus();
  if (parts_.state->index_levels >= kMaxIndexLevels) return btree_error::TooManyIndexLevels();
  root_separators_ = std::move(separators);
  ++new_blocks_;
  return absl::OkStatus();
}

absl::Status IndexGrowth::PlanLevel(PathStep& step, Separators added, Separators* above) {
  BlockView view(step.pin.image());
  if (!view.Validate(kChildBytes)) {
    return btree_error::BadBlock(parts_.file->id, step.pin.block(), "its slots are out of order");
  }
  uint32_t added_cost = 0;
  absl::InlinedVector<uint32_t, 2> added_costs;
  absl::InlinedVector<std::string_view, 2> added_keys;
  for (const std::string& separator : added) {
    added_costs.push_back(EntryCost(static_cast<uint32_t>(separator.size())));
    added_cost += added_costs.back();
    added_keys.push_back(separator);
  }
  Division division;
  if (added_cost > view.free_bytes()) {
    const auto cost = [&view](uint32_t i) {
      return static_cast<uint32_t>(view.Item(i).size()) + kSlotBytes;
    };
    const auto key = [&view](uint32_t i) { return view.Separator(i); };
    const auto costs = Merge<uint32_t>(view.count(), step.slot, added_costs, cost);
    const auto keys = Merge<std::string_view>(view.count(), step.slot, added_keys, key);
    division =
        DivideEntries(costs, step.slot + 1, static_cast<uint32_t>(added.size()), parts_.capacity());
    for (uint32_t piece = 1; piece < division.pieces; ++piece) {
      above->emplace_back(keys[division.begin(piece)]);
      ++new_blocks_;
    }
  }
  levels_.push_back(Level{&step, std::move(added), division});
  return absl::OkStatus();
}

void IndexGrowth::Run(NewBlocks children, BlockSupply& supply, BlockCalls& calls) {
  for (Level& level : levels_) children = RunLevel(level, children, supply, calls);
  if (!root_separators_.empty()) AddRoot(children, supply, calls);
}

NewBlocks IndexGrowth::RunLevel(Level& level, const NewBlocks& children, BlockSupply& supply,
                                BlockCalls& calls) {
  QUIRE_CHECK(children.size() == level.added.size());
  if (level.division.pieces > 1) return SplitLevel(level, children, supply, calls);
  PathStep& step = *level.step;
  for (uint32_t i = 0; i < children.size(); ++i) {
    InsertItem(parts_.cache->BeginWrite(*parts_.file, step.pin, calls), step.slot + 1 + i,
               EncodeEntry(level.added[i], children[i]));
  }
  return {};
}

NewBlocks IndexGrowth::SplitLevel(Level& level, const NewBlocks& children, BlockSupply& supply,
                                  BlockCalls& calls) {
  PathStep& step = *level.step;
  const absl::Span<const char> image = step.pin.image();
  const std::string old(image.data(), image.size());  // its bytes are about to be rewritten
  BlockView view(absl::MakeConstSpan(old));
  absl::InlinedVector<std::string, 2> encoded;
  absl::InlinedVector<std::string_view, 2> added;
  for (uint32_t i = 0; i < children.size(); ++i) {
    encoded.push_back(EncodeEntry(level.added[i], children[i]));
  }
  added.assign(encoded.begin(), encoded.end());
  const auto item = [&view](uint32_t i) { return view.Item(i); };
  std::vector<std::string_view> items =
      Merge<std::string_view>(view.count(), step.slot, added, item);

  NewBlocks made;
  for (uint32_t piece = 1; piece < level.division.pieces; ++piece) {
    const uint32_t begin = level.division.begin(piece);
    std::string_view& first = items[begin];
    if (view.level() > 1) first.remove_prefix(first.size() - kChildBytes);
    Pin pin = supply.Take(view.level(), BlockUse::kIndex, calls);
    WriteItems(parts_.cache->BeginWrite(*parts_.file, pin, calls),
               absl::MakeConstSpan(items).subspan(begin, level.division.end(piece) - begin));
    made.push_back(pin.block());
  }
  WriteItems(parts_.cache->BeginWrite(*parts_.file, step.pin, calls),
             absl::MakeConstSpan(items).first(level.division.end(0)));
  return made;
}

void IndexGrowth::AddRoot(const NewBlocks& children, BlockSupply& supply, BlockCalls& calls) {
  QUIRE_CHECK(children.size() == root_separators_.size());
  TreeState& state = *parts_.state;
  Pin pin = supply.Take(static_cast<uint8_t>(state.index_levels + 1), BlockUse::kIndex, calls);
  const absl::Span<char> image = parts_.cache->BeginWrite(*parts_.file, pin, calls);
  InsertItem(image, 0, EncodeEntry("", state.root));
  for (uint32_t i = 0; i < children.size(); ++i) {
    InsertItem(image, i + 1, EncodeEntry(root_separators_[i], children[i]));
  }
  state.root = pin.block();
  ++state.index_levels;
}

}  // namespace quire
