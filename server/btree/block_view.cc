#include "server/btree/block_view.h"

#include "server/base/check.h"

namespace quire {

BlockView::BlockView(absl::Span<const char> image)
    : image_(image.data()), size_(static_cast<uint32_t>(image.size())) {
  QUIRE_CHECK(image.size() >= kBlockHeaderBytes);
  count_ = LoadLittle<uint16_t>(image_ + block_offset::kRecordCount);
  // Every item takes a slot of 2 bytes at least: a greater count cannot be.
  if (count_ * kSlotBytes > CapacityOf(size_)) {
    count_ = 0;
    damaged_ = true;
  }
  slots_begin_ = size_ - count_ * kSlotBytes;
}

bool BlockView::Validate(uint32_t shortest_item) {
  uint32_t begin = kBlockHeaderBytes;
  bool bad = false;
  for (uint32_t i = 0; i < count_; ++i) {  // no early exit: damage is rare, branches are not free
    const uint32_t end = SlotAt(i);
    bad |= end < begin + shortest_item;
    begin = end;
  }
  damaged_ |= bad || begin > slots_begin_;
  return !damaged_;
}

}  // namespace quire
