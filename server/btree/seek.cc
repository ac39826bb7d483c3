#include "server/btree/seek.h"

#include <utility>

#include "quire/text.h"
#include "server/btree/errors.h"
#include "server/btree/search.h"

namespace quire {
namespace {

constexpr const char* kBadSlots = "its slots are out of bounds";

int32_t CountOf(const Pin& pin) {
  return static_cast<int32_t>(BlockView(pin.image()).count());
}

}  // namespace

absl::Status LeafPosition::Load(BlockNumber leaf, BlockCalls& calls) {
  absl::StatusOr<Pin> pin = parts_.cache->Read(*parts_.file, leaf, use_, calls);
  if (!pin.ok()) return pin.status();
  if (const char* reason = WrongBlock(BlockView(pin->image()), kDataLevel)) {
    return btree_error::BadBlock(parts_.file->id, leaf, reason);
  }
  pin_ = *std::move(pin);
  // Whoever walks goes on to the block beside.
  if (use_ == BlockUse::kScanned) {
    const BlockView view(pin_.image());
    if (const BlockNumber beside = reverse_ ? view.previous() : view.next(); beside != 0) {
      parts_.cache->Expect(*parts_.file, beside);
    }
  }
  return absl::OkStatus();
}

absl::Status LeafPosition::Seek(const SeekBound& bound, BlockCalls& calls) {
  pin_.Release();
  if (parts_.state->root == 0) return absl::OkStatus();
  // Upwards from the lowest: the empty key is below all others.
  const DescentTarget target{bound.open ? std::string_view() : bound.key, bound.open && reverse_};
  const absl::StatusOr<BlockNumber> leaf = Descend(parts_, target, calls, nullptr);
  if (!leaf.ok()) return leaf.status();
  if (absl::Status status = Load(*leaf, calls); !status.ok()) return status;
  if (bound.open) {
    slot_ = reverse_ ? CountOf(pin_) - 1 : 0;
    return absl::OkStatus();
  }
  BlockView view(pin_.image());
  const RecordSlot found = FindRecord(view, parts_.key, bound.key);
  if (view.damaged()) return btree_error::BadBlock(parts_.file->id, *leaf, kBadSlots);
  slot_ = static_cast<int32_t>(found.slot);
  const bool take_exact = found.exact && bound.inclusive;
  if (reverse_) {
    if (!take_exact) --slot_;
  } else {
    if (found.exact && !bound.inclusive) ++slot_;
  }
  return Settle(calls);
}

absl::Status LeafPosition::Resume(BlockNumber leaf, int32_t slot, BlockCalls& calls) {
  if (absl::Status status = Load(leaf, calls); !status.ok()) return status;
  slot_ = slot;
  return Settle(calls);
}

absl::Status LeafPosition::Step(BlockCalls& calls) {
  slot_ += reverse_ ? -1 : 1;
  return Settle(calls);
}

bool LeafPosition::Beyond() const {
  return slot_ < 0 || slot_ >= CountOf(pin_);
}

bool LeafPosition::last_in_leaf() const {
  return reverse_ ? slot_ == 0 : slot_ + 1 == CountOf(pin_);
}

bool LeafPosition::last_in_chain() const {
  const BlockView view(pin_.image());
  return last_in_leaf() && (reverse_ ? view.previous() : view.next()) == 0;
}

absl::Status LeafPosition::Settle(BlockCalls& calls) {
  if (!Beyond()) return absl::OkStatus();
  const BlockView view(pin_.image());
  const BlockNumber beside = reverse_ ? view.previous() : view.next();
  if (beside == 0) {
    pin_.Release();
    return absl::OkStatus();
  }
  if (beside >= parts_.state->eof_blocks) {
    return btree_error::BadBlock(
        parts_.file->id, pin_.block(),
        StrCat("it is chained to block ", beside, ", which the file does not have"));
  }
  const Pin from = std::move(pin_);
  if (absl::Status status = Load(beside, calls); !status.ok()) return status;
  slot_ = reverse_ ? CountOf(pin_) - 1 : 0;
  return CheckNeighbour(from);
}

absl::Status LeafPosition::CheckNeighbour(const Pin& from) const {
  const FileId file = parts_.file->id;
  BlockView here(pin_.image());
  BlockView there(from.image());
  if ((reverse_ ? here.next() : here.previous()) != from.block()) {
    return btree_error::BadBlock(file, pin_.block(), "its chain link does not lead back");
  }
  const std::string_view reached = here.Key(static_cast<uint32_t>(slot_), parts_.key);
  const std::string_view left = there.Key(reverse_ ? 0 : there.count() - 1, parts_.key);
  if (here.damaged()) return btree_error::BadBlock(file, pin_.block(), kBadSlots);
  if (there.damaged()) return btree_error::BadBlock(file, from.block(), kBadSlots);
  if (reverse_ ? reached >= left : reached <= left) {
    return btree_error::BadBlock(file, pin_.block(), "its keys do not go on from the block beside");
  }
  return absl::OkStatus();
}

absl::Status LeafPosition::Get(std::string_view* record, std::string_view* key) const {
  BlockView view(pin_.image());
  *record = view.Item(static_cast<uint32_t>(slot_));
  *key = view.Key(static_cast<uint32_t>(slot_), parts_.key);
  if (!view.damaged()) return absl::OkStatus();
  return btree_error::BadBlock(parts_.file->id, pin_.block(), kBadSlots);
}

}  // namespace quire
