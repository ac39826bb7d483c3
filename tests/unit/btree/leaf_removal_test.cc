#include "server/btree/leaf_removal.h"

#include <gtest/gtest.h>

#include <string>

#include "server/base/bytes.h"
#include "server/btree/block_view.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

// One record to a data block, and few entries to an index block: deep trees of few records.
class LeafRemovalTest : public testing::Test {
 protected:
  LeafRemovalTest() : test_({512, {0, 100}, uint64_t{16} << 20, true}) {}
  std::string Key(int n) { return std::string(96, 'k') + DigitKey(static_cast<uint64_t>(n)); }
  void Fill(int records) {
    for (int n = 0; n < records; ++n) ASSERT_TRUE(test_.Insert(RecordOf(Key(n), 300)).ok());
  }
  TestTree test_;
};

TEST_F(LeafRemovalTest, SecondEntryTakesOverTheBoundOfTheFirst) {
  Fill(3);
  ASSERT_TRUE(test_.Erase(Key(0)).ok());
  const std::string image = test_.Image(test_.state().root);
  BlockView view(absl::MakeConstSpan(image));
  EXPECT_EQ(view.count(), 2u);
  EXPECT_EQ(view.Separator(0), "");
  // What is lower goes to the new first block.
  ASSERT_TRUE(test_.Insert(RecordOf(Key(0), 100)).ok());
  EXPECT_EQ(test_.Scan({}).size(), 3u);
}

TEST_F(LeafRemovalTest, EmptiedIndexBlocksAreGivenBackUpwards) {
  Fill(100);
  ASSERT_GE(test_.state().index_levels, 4u);
  for (int n = 0; n < 100; ++n) {
    const uint32_t levels = test_.state().index_levels;
    test_.calls = {};
    ASSERT_TRUE(test_.Erase(Key(n)).ok());
    ASSERT_EQ(test_.tree().Check(), absl::OkStatus()) << n;
    // Leaf, bitmap, right neighbour, label, and at least one parent's entry, unless it was the
    // last.
    const bool last = n == 99;
    EXPECT_GE(test_.calls.driver_output_calls, last ? 3 : 5);
    EXPECT_GE(test_.calls.driver_input_calls, static_cast<int64_t>(levels));
  }
  EXPECT_EQ(test_.state().root, 0u);
  EXPECT_EQ(test_.state().free_blocks, test_.state().eof_blocks - 1);
}

TEST_F(LeafRemovalTest, RootsLeftWithOneChildGoOneAfterTheOther) {
  Fill(100);
  for (int n = 0; n < 99; ++n) ASSERT_TRUE(test_.Erase(Key(n)).ok());
  EXPECT_EQ(test_.state().index_levels, 0u);
  EXPECT_EQ(test_.ReadByKey(Key(99)).size(), 300u);
}

TEST_F(LeafRemovalTest, BentNeighbourIs59BeforeAnythingChanges) {
  Fill(4);
  test_.check_at_end = false;
  std::string image = test_.Image(2);  // the second data block
  StoreLittle<uint32_t>(image.data() + block_offset::kPrevious, 4);
  test_.Replace(2, image);
  const TreeState before = test_.state();
  test_.calls = {};
  EXPECT_EQ(NumberOf(test_.Erase(Key(0))), ErrorNumber::kFileBad);
  EXPECT_EQ(test_.calls.driver_output_calls, 0);
  EXPECT_EQ(test_.state(), before);
  EXPECT_EQ(test_.ReadByKey(Key(0)).size(), 300u);
}

}  // namespace
}  // namespace quire
