#include "server/btree/block_view.h"

#include <gtest/gtest.h>

#include <string>

#include "server/btree/block_edit.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

std::string BlockOf(std::initializer_list<std::string_view> items) {
  std::string image(128, '\0');
  const absl::Span<char> span = absl::MakeSpan(image.data(), image.size());
  FormatImage(span, 1, 1, 0);
  uint32_t slot = 0;
  for (std::string_view item : items) InsertItem(span, slot++, item);
  return image;
}

TEST(BlockView, ReadsItemsKeysAndChildren) {
  const std::string image = BlockOf({"..k1", std::string("ab\x07\0\0\0", 6)});
  BlockView view(absl::MakeConstSpan(image));
  EXPECT_EQ(view.count(), 2u);
  EXPECT_EQ(view.Item(0), "..k1");
  EXPECT_EQ(view.Key(0, KeyField{2, 2}), "k1");
  EXPECT_EQ(view.Separator(1), "ab");
  EXPECT_EQ(view.Child(1), 7u);
  EXPECT_EQ(view.used_end(), kBlockHeaderBytes + 10);
  EXPECT_EQ(view.free_bytes(), 128 - kBlockHeaderBytes - 10 - 4);
  EXPECT_TRUE(view.Validate(4));
  EXPECT_FALSE(view.damaged());
}

TEST(BlockView, ItemsShorterThanTheKeyAreDamage) {
  const std::string image = BlockOf({"abc"});
  BlockView view(absl::MakeConstSpan(image));
  EXPECT_EQ(view.Key(0, KeyField{2, 2}), "");
  EXPECT_TRUE(view.damaged());
  BlockView index(absl::MakeConstSpan(image));
  EXPECT_EQ(index.Child(0), 0u);
  EXPECT_TRUE(index.damaged());
  EXPECT_FALSE(BlockView(absl::MakeConstSpan(image)).Validate(4));
}

TEST(BlockView, ACountThatCannotBeIsDamageAndNothing) {
  std::string image = BlockOf({"abc"});
  StoreLittle<uint16_t>(image.data() + block_offset::kRecordCount, 60);
  const BlockView view(absl::MakeConstSpan(image));
  EXPECT_TRUE(view.damaged());
  EXPECT_EQ(view.count(), 0u);
}

TEST(BlockView, SlotsOutOfBoundsAreDamage) {
  for (uint16_t slot : {0, 35, 38, 127, 65535}) {
    std::string image = BlockOf({"abc", "def"});
    StoreLittle<uint16_t>(image.data() + 128 - 4, slot);  // slot 1
    BlockView view(absl::MakeConstSpan(image));
    EXPECT_EQ(view.Item(0), "abc");
    EXPECT_EQ(view.Item(1), "") << slot;
    EXPECT_TRUE(view.damaged()) << slot;
    EXPECT_FALSE(BlockView(absl::MakeConstSpan(image)).Validate(0)) << slot;
  }
}

// Whatever the bytes are, an item lies within the image.
TEST(BlockView, RandomBytesNeverLeadOutside) {
  TestRandom random;
  std::string image(128, '\0');
  for (int round = 0; round < 20000; ++round) {
    for (char& byte : image) byte = static_cast<char>(random.Below(256));
    if (random.OneIn(2)) image[block_offset::kRecordCount + 1] = 0;
    BlockView view(absl::MakeConstSpan(image));
    for (uint32_t i = 0; i < view.count(); ++i) {
      const std::string_view item = view.Item(i);
      if (item.empty()) continue;
      ASSERT_GE(item.data(), image.data() + kBlockHeaderBytes);
      ASSERT_LE(item.data() + item.size(), image.data() + image.size());
    }
  }
}

}  // namespace
}  // namespace quire
