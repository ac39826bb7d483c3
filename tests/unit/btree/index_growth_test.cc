#include "server/btree/index_growth.h"

#include <gtest/gtest.h>

#include <string>

#include "server/btree/block_view.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

// One record to a data block: every insert adds an entry. Keys of 100 bytes that differ from the
// first byte on keep one byte of each; those that differ in the last keep all.
class IndexGrowthTest : public testing::Test {
 protected:
  IndexGrowthTest() : test_({512, {0, 100}, uint64_t{16} << 20, true}) {}
  void Insert(int n) {
    const std::string key = std::string(96, 'k') + DigitKey(static_cast<uint64_t>(n));
    ASSERT_EQ(test_.Insert(RecordOf(key, 300)), absl::OkStatus());
  }
  TestTree test_;
};

TEST_F(IndexGrowthTest, C1CallsOfAnIndexSplit) {
  // Entries of 106 bytes after a first of 6: four fit into 460 bytes.
  for (int n = 0; n < 5; ++n) Insert(n);
  ASSERT_EQ(test_.state().index_levels, 1u);
  int n = 5;
  BlockCalls calls;
  while (test_.state().index_levels == 1) {
    test_.calls = {};
    Insert(n++);
    calls = test_.calls;
  }
  // Data split without neighbour: bitmap, new twice, old, label (5; its parent entry is part of the
  // index split). Index split: bitmap, new twice, old. New root: bitmap, new twice.
  EXPECT_EQ(calls.driver_output_calls, 5 + 4 + 3);
  EXPECT_EQ(calls.driver_input_calls, 1 + 3);
  EXPECT_EQ(calls.cache_write_hits, 3);
  EXPECT_EQ(calls.block_splits, 1);
}

TEST_F(IndexGrowthTest, FirstEntriesAboveLevelOneKeepNoKey) {
  for (int n = 0; test_.state().index_levels < 3; ++n) Insert(n);
  for (BlockNumber block = 0; block < test_.state().eof_blocks; ++block) {
    const std::string image = test_.Image(block);
    BlockView view(absl::MakeConstSpan(image));
    if (view.level() < 2 || view.level() == kBitmapLevel) continue;
    EXPECT_EQ(view.Separator(0), "") << block;
    EXPECT_NE(view.Separator(1), "") << block;
  }
}

TEST_F(IndexGrowthTest, DeepTreeOfLongKeysStaysWhole) {
  for (int n = 0; n < 1000; ++n) {
    Insert((n * 7919) % 1000);
    if (n % 100 == 0) {
      ASSERT_EQ(test_.tree().Check(), absl::OkStatus());
    }
  }
  EXPECT_GE(test_.state().index_levels, 5u);
}

TEST_F(IndexGrowthTest, DamagedIndexBlockIs59BeforeAnythingChanges) {
  for (int n = 0; n < 4; ++n) Insert(n);
  std::string image = test_.Image(test_.state().root);
  // The slot of the first entry, which the descent to the last block does not look at.
  StoreLittle<uint16_t>(image.data() + image.size() - kSlotBytes, 30000);
  test_.Replace(test_.state().root, image);
  test_.check_at_end = false;
  const TreeState before = test_.state();
  test_.calls = {};
  const std::string key = std::string(96, 'k') + "0009";
  EXPECT_EQ(NumberOf(test_.Insert(RecordOf(key, 300))), ErrorNumber::kFileBad);
  EXPECT_EQ(test_.calls.driver_output_calls, 0);
  EXPECT_EQ(test_.state(), before);
}

}  // namespace
}  // namespace quire
