#include "client/bench/counter_model.h"

#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

TEST(CounterModelTest, IndexBlocksOfQuireHold237And269Entries) {
  EXPECT_EQ(IndexEntries(4096, 11), 237u);
  EXPECT_EQ(IndexEntries(4096, 9), 269u);
}

TEST(CounterModelTest, OneTreeOfTheArticlesRecords) {
  const ModelCounters model = PlayModel({.records = 135065, .key_length = 11, .partitions = 1});
  EXPECT_EQ(model.block_splits, 67564u);
  EXPECT_EQ(model.cache_hits, 401533u);
  EXPECT_EQ(model.data_blocks, 67565u);
  EXPECT_EQ(model.index_blocks, 510u);
  EXPECT_EQ(model.index_levels, 3u);
  EXPECT_EQ(model.write_hits, 68074u);
  EXPECT_EQ(model.write_cleans, 474187u);
  EXPECT_EQ(model.eof_bytes, (67565u + 510u + 3u) * 4096u);  // three bitmap blocks (R-B4)
}

TEST(CounterModelTest, TenTreesOfTheArticlesRecords) {
  const ModelCounters model = PlayModel({.records = 135065, .key_length = 9, .partitions = 10});
  EXPECT_EQ(model.block_splits, 67555u);
  EXPECT_EQ(model.cache_hits, 332825u);
  EXPECT_EQ(model.index_blocks, 470u);
  EXPECT_EQ(model.index_levels, 2u);
  EXPECT_EQ(model.driver_output_calls(), 535859u);
  EXPECT_EQ(model.eof_bytes, 68045u * 4096u);
}

TEST(CounterModelTest, ATenthOfTheRecords) {
  const ModelCounters one = PlayModel({.records = 13565, .key_length = 11, .partitions = 1});
  EXPECT_EQ(one.block_splits, 6799u);
  EXPECT_EQ(one.cache_hits, 33533u);
  EXPECT_EQ(one.index_levels, 2u);
  EXPECT_EQ(one.driver_output_calls(), 54458u);
  const ModelCounters ten = PlayModel({.records = 13565, .key_length = 9, .partitions = 10});
  EXPECT_EQ(ten.block_splits, 6790u);
  EXPECT_EQ(ten.cache_hits, 28640u);
  EXPECT_EQ(ten.driver_output_calls(), 53745u);
}

TEST(CounterModelTest, SmallTreesByHand) {
  const ModelCounters one = PlayModel({.records = 1, .key_length = 11, .partitions = 1});
  EXPECT_EQ(one.block_splits, 0u);
  EXPECT_EQ(one.cache_hits, 0u);
  EXPECT_EQ(one.driver_output_calls(), 1u);
  EXPECT_EQ(one.index_levels, 0u);
  // The third record goes behind a full block: a new block and the first index block.
  const ModelCounters three = PlayModel({.records = 3, .key_length = 11, .partitions = 1});
  EXPECT_EQ(three.block_splits, 1u);
  EXPECT_EQ(three.cache_hits, 2u);
  EXPECT_EQ(three.index_levels, 1u);
  EXPECT_EQ(three.write_hits, 2u);
  EXPECT_EQ(three.write_cleans, 2u + 5u);
}

// The odd runs: blocks = (records + odd runs) / 2, splits = blocks less trees.
TEST(CounterModelTest, SplitsFollowTheOddRuns) {
  for (uint64_t rest : {0u, 1u, 37u, 65u, 99u}) {
    const uint64_t records = 100 * 40 + rest;
    const ModelCounters model = PlayModel({.records = records, .key_length = 11, .partitions = 1});
    EXPECT_EQ(model.block_splits, (records + rest) / 2 - 1) << rest;
  }
}

}  // namespace
}  // namespace bench
}  // namespace quire
