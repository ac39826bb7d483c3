#include "server/btree/block_edit.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/base/block_header.h"
#include "server/btree/block_view.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

class Block {
 public:
  explicit Block(size_t bytes) : image_(bytes, '\0') { FormatImage(span(), 1, 1, 0); }
  absl::Span<char> span() { return absl::MakeSpan(image_.data(), image_.size()); }
  std::vector<std::string> Items() {
    BlockView view(span());
    EXPECT_TRUE(view.Validate(0));
    std::vector<std::string> items;
    for (uint32_t i = 0; i < view.count(); ++i) items.emplace_back(view.Item(i));
    return items;
  }
  // Every byte between items and slots is zero.
  bool FreeIsZero() {
    const BlockView view(span());
    return image_.substr(view.used_end(), view.free_bytes()).find_first_not_of('\0') ==
           std::string::npos;
  }

 private:
  std::string image_;
};

TEST(BlockEdit, InsertKeepsTheOrderOfSlots) {
  Block block(128);
  InsertItem(block.span(), 0, "bb");
  InsertItem(block.span(), 0, "a");
  InsertItem(block.span(), 2, "dddd");
  InsertItem(block.span(), 2, "ccc");
  EXPECT_EQ(block.Items(), (std::vector<std::string>{"a", "bb", "ccc", "dddd"}));
}

TEST(BlockEdit, FillsTheBlockToTheLastByte) {
  Block block(kBlockHeaderBytes + 10);
  InsertItem(block.span(), 0, "12345678");
  EXPECT_EQ(BlockView(block.span()).free_bytes(), 0u);
  EXPECT_EQ(block.Items(), std::vector<std::string>{"12345678"});
}

TEST(BlockEdit, WriteItemsClearsWhatWasThere) {
  Block block(128);
  for (int i = 0; i < 10; ++i) InsertItem(block.span(), 0, "xxxxxx");
  const std::vector<std::string_view> items{"one", "two"};
  WriteItems(block.span(), items);
  EXPECT_EQ(block.Items(), (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(block.FreeIsZero());
}

TEST(BlockEdit, LinksDoNotTouchItems) {
  Block block(128);
  InsertItem(block.span(), 0, "item");
  SetPrevious(block.span(), 4711);
  SetNext(block.span(), 4712);
  EXPECT_EQ(BlockView(block.span()).previous(), 4711u);
  EXPECT_EQ(BlockView(block.span()).next(), 4712u);
  EXPECT_EQ(block.Items(), std::vector<std::string>{"item"});
}

TEST(BlockEdit, EntryIsKeptKeyThenChild) {
  EXPECT_EQ(EncodeEntry("ab", 0x01020304), std::string("ab\x04\x03\x02\x01"));
}

TEST(BlockEdit, RandomEditsAgreeWithAVector) {
  TestRandom random;
  Block block(512);
  std::vector<std::string> model;
  for (int step = 0; step < 20000; ++step) {
    const uint32_t free = BlockView(block.span()).free_bytes();
    const auto slot = static_cast<uint32_t>(random.Below(model.size() + 1));
    if (free >= kSlotBytes && random.Below(5) < 2) {
      const size_t most = std::min<size_t>(free - kSlotBytes, 60);
      model.insert(model.begin() + slot, random.Text(random.Below(most + 1), "abc"));
      InsertItem(block.span(), slot, model[slot]);
    } else if (slot == model.size()) {
      continue;
    } else if (random.OneIn(2)) {
      const size_t most = std::min<size_t>(free + model[slot].size(), 60);
      model[slot] = random.Text(random.Below(most + 1), "xyz");
      ReplaceItem(block.span(), slot, model[slot]);
    } else {
      model.erase(model.begin() + slot);
      RemoveItem(block.span(), slot);
    }
    ASSERT_EQ(block.Items(), model);
    ASSERT_TRUE(block.FreeIsZero());
  }
}

}  // namespace
}  // namespace quire
