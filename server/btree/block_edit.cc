#include "server/btree/block_edit.h"

#include <cstring>

#include "server/base/activity.h"
#include "server/base/bytes.h"
#include "server/base/check.h"
#include "server/btree/block_layout.h"

namespace quire {
namespace {

// The slot table and the end of the items of an image being changed.
class Editor {
 public:
  explicit Editor(absl::Span<char> image) : image_(image) {}

  uint32_t count() const {
    return LoadLittle<uint16_t>(image_.data() + block_offset::kRecordCount);
  }
  void set_count(uint32_t count) {
    StoreLittle(image_.data() + block_offset::kRecordCount, static_cast<uint16_t>(count));
  }
  uint32_t Slot(uint32_t i) const { return LoadLittle<uint16_t>(SlotAddress(i)); }
  void SetSlot(uint32_t i, uint32_t end) {
    StoreLittle(SlotAddress(i), static_cast<uint16_t>(end));
  }
  uint32_t BeginOf(uint32_t i) const { return i == 0 ? kBlockHeaderBytes : Slot(i - 1); }
  uint32_t UsedEnd() const { return BeginOf(count()); }
  uint32_t SlotsBegin() const {
    return static_cast<uint32_t>(image_.size()) - kSlotBytes * count();
  }
  char* At(uint32_t offset) { return image_.data() + offset; }
  char* SlotAddress(uint32_t i) const {
    return image_.data() + image_.size() - kSlotBytes * (i + 1);
  }

  // Moves everything from `from` to the end of the items by `by` bytes; zeroes what that frees.
  void Shift(uint32_t from, int32_t by) {
    const uint32_t used_end = UsedEnd();
    std::memmove(At(from) + by, At(from), used_end - from);
    if (by < 0) std::memset(At(used_end) + by, 0, static_cast<size_t>(-by));
  }

 private:
  absl::Span<char> image_;
};

}  // namespace

std::string EncodeEntry(std::string_view separator, BlockNumber child) {
  std::string entry(separator);
  ByteWriter(&entry).Put(child);
  return entry;
}

void InsertItem(absl::Span<char> image, uint32_t slot, std::string_view item) {
  const ActivityScope activity(Activity::kCopy);
  Editor edit(image);
  const uint32_t count = edit.count();
  const auto length = static_cast<uint32_t>(item.size());
  QUIRE_CHECK(slot <= count && edit.UsedEnd() + length + kSlotBytes <= edit.SlotsBegin());
  const uint32_t begin = edit.BeginOf(slot);
  edit.Shift(begin, static_cast<int32_t>(length));
  std::memcpy(edit.At(begin), item.data(), length);
  edit.set_count(count + 1);
  for (uint32_t i = count; i > slot; --i) edit.SetSlot(i, edit.Slot(i - 1) + length);
  edit.SetSlot(slot, begin + length);
}

void ReplaceItem(absl::Span<char> image, uint32_t slot, std::string_view item) {
  const ActivityScope activity(Activity::kCopy);
  Editor edit(image);
  const uint32_t count = edit.count();
  QUIRE_CHECK(slot < count);
  const uint32_t begin = edit.BeginOf(slot);
  const int32_t by =
      static_cast<int32_t>(item.size()) - static_cast<int32_t>(edit.Slot(slot) - begin);
  if (by != 0) {
    QUIRE_CHECK(static_cast<int32_t>(edit.UsedEnd()) + by <=
                static_cast<int32_t>(edit.SlotsBegin()));
    edit.Shift(edit.Slot(slot), by);
    for (uint32_t i = slot; i < count; ++i) {
      edit.SetSlot(i, static_cast<uint32_t>(static_cast<int32_t>(edit.Slot(i)) + by));
    }
  }
  std::memcpy(edit.At(begin), item.data(), item.size());
}

void RemoveItem(absl::Span<char> image, uint32_t slot) {
  Editor edit(image);
  const uint32_t count = edit.count();
  QUIRE_CHECK(slot < count);
  const uint32_t end = edit.Slot(slot);
  const uint32_t length = end - edit.BeginOf(slot);
  edit.Shift(end, -static_cast<int32_t>(length));
  for (uint32_t i = slot; i + 1 < count; ++i) edit.SetSlot(i, edit.Slot(i + 1) - length);
  edit.SetSlot(count - 1, 0);
  edit.set_count(count - 1);
}

void WriteItems(absl::Span<char> image, absl::Span<const std::string_view> items) {
  const ActivityScope activity(Activity::kCopy);
  Editor edit(image);
  uint32_t end = kBlockHeaderBytes;
  edit.set_count(static_cast<uint32_t>(items.size()));
  for (uint32_t i = 0; i < items.size(); ++i) {
    QUIRE_CHECK(end + items[i].size() <= edit.SlotsBegin());
    std::memcpy(edit.At(end), items[i].data(), items[i].size());
    end += static_cast<uint32_t>(items[i].size());
    edit.SetSlot(i, end);
  }
  std::memset(edit.At(end), 0, edit.SlotsBegin() - end);
}

void SetPrevious(absl::Span<char> image, BlockNumber block) {
  StoreLittle(image.data() + block_offset::kPrevious, block);
}

void SetNext(absl::Span<char> image, BlockNumber block) {
  StoreLittle(image.data() + block_offset::kNext, block);
}

}  // namespace quire
