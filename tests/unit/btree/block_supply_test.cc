#include "server/btree/block_supply.h"

#include <gtest/gtest.h>

#include <vector>

#include "server/btree/bitmap.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

class BlockSupplyTest : public testing::Test {
 protected:
  BlockSupplyTest() : test_({}) { test_.check_at_end = false; }

  std::vector<BlockNumber> Take(uint32_t blocks) {
    BlockSupply supply(test_.tree().parts());
    EXPECT_EQ(supply.Reserve(blocks), absl::OkStatus());
    std::vector<BlockNumber> taken;
    for (uint32_t i = 0; i < blocks; ++i) {
      const BlockNumber upcoming = supply.upcoming();
      taken.push_back(supply.Take(kDataLevel, BlockUse::kData, test_.calls).block());
      EXPECT_EQ(upcoming, taken.back());
    }
    EXPECT_EQ(supply.eof_blocks(), test_.state().eof_blocks);
    return taken;
  }
  void GiveBack(BlockNumber block) {
    BlockReturn back(test_.tree().parts());
    EXPECT_EQ(back.Reserve(block), absl::OkStatus());
    back.GiveBack(block, test_.calls);
  }

  TestTree test_;
};

TEST_F(BlockSupplyTest, C1AllocationCalls) {
  Take(1);
  // The bitmap made on the way: read, format, fill; its mark; the block: read, format.
  EXPECT_EQ(test_.calls.driver_input_calls, 2);
  EXPECT_EQ(test_.calls.cache_write_hits, 2);
  EXPECT_EQ(test_.calls.cache_write_cleans, 2);
  test_.calls = {};
  Take(1);
  EXPECT_EQ(test_.calls.driver_input_calls, 1);
  EXPECT_EQ(test_.calls.cache_hits, 1);
  EXPECT_EQ(test_.calls.cache_write_hits, 1);
  EXPECT_EQ(test_.calls.cache_write_cleans, 1);
}

TEST_F(BlockSupplyTest, D11TakesTheLowestFreeBlockThenEof) {
  EXPECT_EQ(Take(6), (std::vector<BlockNumber>{1, 2, 3, 4, 5, 6}));
  GiveBack(5);
  GiveBack(2);
  GiveBack(3);
  EXPECT_EQ(test_.state().free_blocks, 3u);
  EXPECT_EQ(Take(2), (std::vector<BlockNumber>{2, 3}));
  EXPECT_EQ(Take(3), (std::vector<BlockNumber>{5, 7, 8}));
  EXPECT_EQ(test_.state().free_blocks, 0u);
  EXPECT_EQ(test_.state().eof_blocks, 9u);
}

TEST_F(BlockSupplyTest, B4BitmapIsMadeWhereEofStandsOnItsPlace) {
  const uint32_t interval = BitmapInterval(test_.file().image_bytes);
  Take(interval - 2);
  EXPECT_EQ(test_.state().eof_blocks, interval - 1);
  EXPECT_EQ(Take(3), (std::vector<BlockNumber>{interval - 1, interval + 1, interval + 2}));
  EXPECT_TRUE(IsFree(test_.Image(interval), interval + 3));
  EXPECT_FALSE(IsFree(test_.Image(interval), interval + 2));
  // The hint follows the lowest bitmap with a free block, over bitmaps.
  GiveBack(interval + 1);
  EXPECT_EQ(test_.state().free_hint, interval);
  GiveBack(7);
  EXPECT_EQ(test_.state().free_hint, 0u);
  EXPECT_EQ(Take(2), (std::vector<BlockNumber>{7, interval + 1}));
}

TEST_F(BlockSupplyTest, StateThatCountsMoreFreeBlocksThanThereAreIs59) {
  Take(3);
  test_.state().free_blocks = 1;
  BlockSupply supply(test_.tree().parts());
  EXPECT_EQ(NumberOf(supply.Reserve(1)), ErrorNumber::kFileBad);
}

TEST_F(BlockSupplyTest, GivingBackWhatIsFreeIs59) {
  Take(3);
  GiveBack(2);
  BlockReturn back(test_.tree().parts());
  EXPECT_EQ(NumberOf(back.Reserve(2)), ErrorNumber::kFileBad);
}

}  // namespace
}  // namespace quire
