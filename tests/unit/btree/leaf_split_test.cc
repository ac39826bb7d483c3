#include "server/btree/leaf_split.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/base/bytes.h"
#include "server/btree/block_view.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

class LeafSplitTest : public testing::Test {
 protected:
  LeafSplitTest() : test_({}) {
    for (int n = 10; n <= 60; n += 10) {
      EXPECT_TRUE(test_.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
    }
  }
  BlockNumber Link(BlockNumber block, bool next) {
    const std::string image = test_.Image(block);
    const BlockView view(absl::MakeConstSpan(image));
    return next ? view.next() : view.previous();
  }
  TestTree test_;
};

TEST_F(LeafSplitTest, LinksBothWays) {
  ASSERT_TRUE(test_.Insert(RecordOf("0045", 200)).ok());  // behind block 2: block 5
  EXPECT_EQ(Link(2, true), 5u);
  EXPECT_EQ(Link(5, false), 2u);
  EXPECT_EQ(Link(5, true), 4u);
  EXPECT_EQ(Link(4, false), 5u);
}

TEST_F(LeafSplitTest, ThreePiecesAreChainedInOrder) {
  ASSERT_TRUE(test_.Insert(RecordOf("0035", 440)).ok());  // in block 2: blocks 5 and 6
  EXPECT_EQ(Link(2, true), 5u);
  EXPECT_EQ(Link(5, true), 6u);
  EXPECT_EQ(Link(6, true), 4u);
  EXPECT_EQ(Link(4, false), 6u);
  EXPECT_EQ(Link(6, false), 5u);
  EXPECT_EQ(Link(5, false), 2u);
}

TEST_F(LeafSplitTest, BentNeighbourIs59BeforeAnythingChanges) {
  test_.check_at_end = false;
  std::string image = test_.Image(4);
  StoreLittle<uint32_t>(image.data() + block_offset::kPrevious, 1);
  test_.Replace(4, image);
  const TreeState before = test_.state();
  const std::vector<std::string> images = test_.Images();
  EXPECT_EQ(NumberOf(test_.Insert(RecordOf("0045", 200))), ErrorNumber::kFileBad);
  EXPECT_EQ(test_.state(), before);
  EXPECT_EQ(test_.Images(), images);
}

TEST_F(LeafSplitTest, LostBitmapIs59BeforeAnythingChanges) {
  test_.check_at_end = false;
  std::string image = test_.Image(0);
  StoreLittle<uint8_t>(image.data() + block_offset::kLevel, kDataLevel);
  test_.Replace(0, image);
  const TreeState before = test_.state();
  test_.calls = {};
  EXPECT_EQ(NumberOf(test_.Insert(RecordOf("0045", 200))), ErrorNumber::kFileBad);
  EXPECT_EQ(test_.calls.driver_output_calls, 0);
  EXPECT_EQ(test_.state(), before);
}

}  // namespace
}  // namespace quire
