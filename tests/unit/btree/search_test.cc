#include "server/btree/search.h"

#include <gtest/gtest.h>

#include <string>

#include "server/btree/block_edit.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

TEST(Search, FindRecordIsLowerBound) {
  std::string image(256, '\0');
  const absl::Span<char> span = absl::MakeSpan(image.data(), image.size());
  FormatImage(span, 1, 1, 0);
  const KeyField field{1, 2};
  for (uint32_t i = 0; i < 5; ++i) InsertItem(span, i, RecordOf("x1" + std::to_string(2 * i), 9));
  for (int probe = -1; probe <= 9; ++probe) {
    BlockView view(span);
    const std::string key = probe < 0 ? "0" : "1" + std::to_string(probe);
    const RecordSlot found = FindRecord(view, field, key);
    EXPECT_EQ(found.slot, static_cast<uint32_t>((probe + 1) / 2)) << key;
    EXPECT_EQ(found.exact, probe >= 0 && probe % 2 == 0) << key;
    EXPECT_FALSE(view.damaged());
  }
}

TEST(Search, FindChildTreatsTheFirstEntryAsLowest) {
  std::string image(256, '\0');
  const absl::Span<char> span = absl::MakeSpan(image.data(), image.size());
  FormatImage(span, 1, 1, 1);
  InsertItem(span, 0, EncodeEntry("zzz", 10));  // its bytes do not matter
  InsertItem(span, 1, EncodeEntry("b", 11));
  InsertItem(span, 2, EncodeEntry("bb", 12));
  InsertItem(span, 3, EncodeEntry("\xff", 13));
  BlockView view(span);
  EXPECT_EQ(FindChild(view, "a"), 0u);
  EXPECT_EQ(FindChild(view, "b"), 1u);
  EXPECT_EQ(FindChild(view, "ba"), 1u);
  EXPECT_EQ(FindChild(view, "bb"), 2u);
  EXPECT_EQ(FindChild(view, "\xfe"), 2u);
  EXPECT_EQ(FindChild(view, "\xff\xff"), 3u);
}

TEST(Search, DescentCountsOneReadCallPerIndexBlock) {
  TestTree test({});
  for (int n = 0; n < 2000; ++n) ASSERT_TRUE(test.Insert(RecordOf(DigitKey(n), 100)).ok());
  ASSERT_EQ(test.state().index_levels, 2u);
  BlockCalls calls;
  Path path;
  const absl::StatusOr<BlockNumber> leaf =
      Descend(test.tree().parts(), DescentTarget{"1000"}, calls, &path);
  ASSERT_TRUE(leaf.ok());
  EXPECT_EQ(path.size(), 2u);
  EXPECT_EQ(path[0].pin.block(), test.state().root);
  EXPECT_EQ(calls.driver_input_calls, 2);
  EXPECT_EQ(calls.cache_hits, 2);
  EXPECT_EQ(calls.driver_output_calls, 0);
  const std::string image = test.Image(*leaf);
  BlockView view(absl::MakeConstSpan(image));
  EXPECT_TRUE(FindRecord(view, test.tree().key_field(), "1000").exact);
  const absl::StatusOr<BlockNumber> last =
      Descend(test.tree().parts(), DescentTarget{"", true}, calls, nullptr);
  ASSERT_TRUE(last.ok());
  const std::string last_image = test.Image(*last);
  EXPECT_EQ(BlockView(absl::MakeConstSpan(last_image)).next(), 0u);
}

TEST(Search, WrongBlockNamesWhatIsWrong) {
  std::string image(64, '\0');
  const absl::Span<char> span = absl::MakeSpan(image.data(), image.size());
  FormatImage(span, 1, 1, 0);
  EXPECT_NE(WrongBlock(BlockView(span), 0), nullptr);  // empty
  EXPECT_NE(WrongBlock(BlockView(span), 1), nullptr);
  InsertItem(span, 0, "record");
  EXPECT_EQ(WrongBlock(BlockView(span), 0), nullptr);
  FormatImage(span, 1, 1, kBitmapLevel);
  EXPECT_EQ(WrongBlock(BlockView(span), kBitmapLevel), nullptr);
}

}  // namespace
}  // namespace quire
