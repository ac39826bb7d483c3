// Reads a data or index block image. Bytes from disc are never trusted: an item whose slots are out
// of bounds reads as empty and makes damaged() true, as ByteReader does. Check damaged() after the
// last access; Validate checks all slots at once and is required before a block is changed.
//
// A view is two pointers wide and lives no longer than the pin of its image; BeginWrite on the pin
// makes it stale.
#ifndef QUIRE_SERVER_BTREE_BLOCK_VIEW_H_
#define QUIRE_SERVER_BTREE_BLOCK_VIEW_H_

#include <cstdint>
#include <string_view>

#include "absl/types/span.h"
#include "server/base/bytes.h"
#include "server/btree/block_layout.h"
#include "server/btree/key_field.h"

namespace quire {

class BlockView {
 public:
  explicit BlockView(absl::Span<const char> image);

  uint8_t level() const { return LoadLittle<uint8_t>(image_ + block_offset::kLevel); }
  uint32_t count() const { return count_; }
  BlockNumber previous() const { return LoadLittle<uint32_t>(image_ + block_offset::kPrevious); }
  BlockNumber next() const { return LoadLittle<uint32_t>(image_ + block_offset::kNext); }
  bool damaged() const { return damaged_; }

  // Offset at which item i ends, as stored.
  uint32_t SlotAt(uint32_t i) const {
    return LoadLittle<uint16_t>(image_ + size_ - kSlotBytes * (i + 1));
  }
  // i < count().
  std::string_view Item(uint32_t i) {
    const uint32_t begin = i == 0 ? kBlockHeaderBytes : SlotAt(i - 1);
    const uint32_t end = SlotAt(i);
    if (begin < kBlockHeaderBytes || end < begin || end > slots_begin_) return Damaged();
    return std::string_view(image_ + begin, end - begin);
  }
  // Of a data block: the key of record i.
  std::string_view Key(uint32_t i, const KeyField& key) {
    const std::string_view record = Item(i);
    if (record.size() < key.end()) return Damaged();
    return key.Of(record);
  }
  // Of an index block: the key bytes entry i keeps, and its child.
  std::string_view Separator(uint32_t i) {
    const std::string_view entry = Item(i);
    if (entry.size() < kChildBytes) return Damaged();
    return entry.substr(0, entry.size() - kChildBytes);
  }
  BlockNumber Child(uint32_t i) {
    const std::string_view entry = Item(i);
    if (entry.size() < kChildBytes) {
      damaged_ = true;
      return 0;
    }
    return LoadLittle<uint32_t>(entry.data() + entry.size() - kChildBytes);
  }

  // Where the last item ends, and the bytes from there to the slots. Of a validated block.
  uint32_t used_end() const { return count_ == 0 ? kBlockHeaderBytes : SlotAt(count_ - 1); }
  uint32_t free_bytes() const { return slots_begin_ - used_end(); }

  // False, and damaged, when any slot is out of order or bounds or any item is shorter than
  // `shortest_item` bytes. Costs some nanoseconds per item.
  bool Validate(uint32_t shortest_item);

 private:
  std::string_view Damaged() {
    damaged_ = true;
    return {};
  }

  const char* image_;
  uint32_t size_;
  uint32_t count_;
  uint32_t slots_begin_;
  bool damaged_ = false;
};

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_BLOCK_VIEW_H_
