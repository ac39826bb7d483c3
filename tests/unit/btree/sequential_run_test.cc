// Read-ahead as a tree and its cursors ask for it: which blocks, when, how many.
#include "server/btree/sequential_run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/btree/upcoming_leaves.h"
#include "tests/support/test_random.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

// Keeps what is asked for; says that so many of the blocks were not in memory.
class KeptReadAhead : public ReadAhead {
 public:
  explicit KeptReadAhead(bool adaptive, uint64_t first_bytes = 4 * 496, uint64_t most_bytes = 8192)
      : rules_{adaptive, first_bytes, most_bytes} {}

  const ReadAheadRules& rules() const override { return rules_; }
  std::shared_ptr<ReadAheadWorth> NewWorth() override {
    return std::make_shared<ReadAheadWorth>(totals, rules_.adaptive);
  }
  void Bring(FileId, std::vector<BlockNumber> blocks,
             std::shared_ptr<ReadAheadWorth> worth) override {
    const auto asked = static_cast<uint32_t>(blocks.size());
    worth->NoteBrought(asked, cold ? asked : 0);
    requests.push_back(std::move(blocks));
  }
  std::vector<BlockNumber> All() const {
    std::vector<BlockNumber> all;
    for (const auto& request : requests) all.insert(all.end(), request.begin(), request.end());
    return all;
  }

  const std::shared_ptr<ReadAheadTotals> totals = std::make_shared<ReadAheadTotals>();
  std::vector<std::vector<BlockNumber>> requests;
  bool cold = true;

 private:
  const ReadAheadRules rules_;
};

constexpr int kRecords = 1200;

// 1,200 records of 200 bytes, two to a block, written in a random order: three levels.
class SequentialRunTest : public testing::Test {
 protected:
  SequentialRunTest() : test_({}) {
    std::vector<int> order(kRecords);
    for (int n = 0; n < kRecords; ++n) order[static_cast<size_t>(n)] = n;
    for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_.Below(i)]);
    for (int n : order) {
      EXPECT_TRUE(test_.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
    }
    Restart();
  }
  ~SequentialRunTest() override { test_.tree().SetReadAhead(nullptr); }

  void Restart() {
    test_.Reopen();
    test_.calls = {};
  }
  // The data blocks in key order, each with its first key.
  std::vector<std::pair<BlockNumber, std::string>> Chain() {
    std::vector<std::pair<BlockNumber, std::string>> chain;
    LeafPosition position(test_.tree().parts(), false, BlockUse::kScanned);
    BlockCalls not_counted;
    EXPECT_TRUE(position.Seek({"", true, true}, not_counted).ok());
    while (!position.at_end()) {
      std::string_view record;
      std::string_view key;
      EXPECT_TRUE(position.Get(&record, &key).ok());
      if (chain.empty() || chain.back().first != position.leaf()) {
        chain.emplace_back(position.leaf(), std::string(key));
      }
      EXPECT_TRUE(position.Step(not_counted).ok());
    }
    return chain;
  }

  TestRandom random_;
  TestTree test_;
};

TEST_F(SequentialRunTest, LeavesToComeAreThoseOfTheChain) {
  const auto chain = Chain();
  ASSERT_GT(test_.state().index_levels, 1u);
  for (const bool reverse : {false, true}) {
    for (size_t at = 0; at < chain.size(); at += 1 + random_.Below(9)) {
      const auto skip = static_cast<uint32_t>(random_.Below(20));
      const auto count = static_cast<uint32_t>(random_.Between(1, 300));
      const KeyRange everything;
      std::vector<BlockNumber> expected;
      const auto size = static_cast<int64_t>(chain.size());
      const int64_t step = reverse ? -1 : 1;
      int64_t next = static_cast<int64_t>(at) + step * (1 + static_cast<int64_t>(skip));
      for (; expected.size() < count && next >= 0 && next < size; next += step) {
        expected.push_back(chain[static_cast<size_t>(next)].first);
      }
      std::vector<BlockNumber> found;
      const bool more = UpcomingLeaves(test_.tree().parts(),
                                       {chain[at].second, reverse, &everything, skip, count})
                            .Find(&found);
      ASSERT_EQ(found, expected) << at << (reverse ? " down" : " up");
      EXPECT_EQ(more, expected.size() == count);
    }
  }
}

TEST_F(SequentialRunTest, NothingIsWantedBeyondTheRange) {
  const auto chain = Chain();
  const KeyRange range{chain[100].second, chain[110].second};
  std::vector<BlockNumber> up;
  EXPECT_FALSE(
      UpcomingLeaves(test_.tree().parts(), {chain[100].second, false, &range, 0, 50}).Find(&up));
  EXPECT_LE(up.size(), 10u);  // a block that begins below the limit is within
  EXPECT_GE(up.size(), 9u);
  std::vector<BlockNumber> down;
  EXPECT_FALSE(
      UpcomingLeaves(test_.tree().parts(), {chain[109].second, true, &range, 0, 50}).Find(&down));
  EXPECT_LE(down.size(), 10u);
  EXPECT_GE(down.size(), 9u);
}

TEST_F(SequentialRunTest, LookingCountsNothingAndLeavesTheCacheAlone) {
  const auto chain = Chain();
  Restart();
  const uint64_t held = test_.cache().blocks_in_use(test_.file().image_bytes);
  const KeyRange everything;
  std::vector<BlockNumber> found;
  UpcomingLeaves(test_.tree().parts(), {chain[0].second, false, &everything, 0, 400}).Find(&found);
  EXPECT_EQ(found.size(), 400u);
  EXPECT_EQ(test_.cache().blocks_in_use(test_.file().image_bytes), held);
  EXPECT_EQ(test_.calls.driver_input_calls, 0);
}

TEST_F(SequentialRunTest, ADamagedIndexBlockEndsTheLookAndIsToldToNobody) {
  const auto chain = Chain();
  test_.check_at_end = false;
  std::string root = test_.Image(test_.state().root);
  root[block_offset::kLevel] = 7;
  test_.Replace(test_.state().root, root);
  const KeyRange everything;
  std::vector<BlockNumber> found;
  EXPECT_FALSE(UpcomingLeaves(test_.tree().parts(), {chain[0].second, false, &everything, 0, 9})
                   .Find(&found));
  EXPECT_TRUE(found.empty());
}

TEST_F(SequentialRunTest, AScanAsksForEveryBlockOnceAndCountsAsWithout) {
  const auto chain = Chain();
  for (const bool adaptive : {false, true}) {
    for (const bool reverse : {false, true}) {
      Restart();
      const std::vector<std::string> without = test_.Scan({}, reverse, 7);
      const BlockCalls calls_without = test_.calls;
      Restart();
      KeptReadAhead ahead(adaptive);
      test_.tree().SetReadAhead(&ahead);
      EXPECT_EQ(test_.Scan({}, reverse, 7), without);
      test_.tree().SetReadAhead(nullptr);
      EXPECT_EQ(test_.calls.driver_input_calls, calls_without.driver_input_calls);
      EXPECT_EQ(test_.calls.cache_hits, calls_without.cache_hits);
      EXPECT_EQ(test_.calls.cache_read_misses, calls_without.cache_read_misses);
      // All but the first two, in the order in which they were read.
      std::vector<BlockNumber> expected;
      for (const auto& [leaf, key] : chain) expected.push_back(leaf);
      if (reverse) std::reverse(expected.begin(), expected.end());
      expected.erase(expected.begin(), expected.begin() + 2);
      EXPECT_EQ(ahead.All(), expected);
      EXPECT_EQ(ahead.totals->asked, static_cast<int64_t>(expected.size()));
      EXPECT_EQ(ahead.totals->used, ahead.totals->asked);
      EXPECT_EQ(ahead.totals->unused, 0);
    }
  }
}

TEST_F(SequentialRunTest, WhatTheCacheHoldsIsNotAskedFor) {
  test_.Scan({});  // everything is in the cache now
  KeptReadAhead ahead(/*adaptive=*/true);
  test_.tree().SetReadAhead(&ahead);
  test_.Scan({});
  test_.Scan({}, true);
  EXPECT_TRUE(ahead.requests.empty());
}

TEST_F(SequentialRunTest, FirstAskedAfterTwoBlocksAndNotBefore) {
  KeptReadAhead ahead(/*adaptive=*/true);
  test_.tree().SetReadAhead(&ahead);
  Cursor cursor(&test_.tree(), {}, false, false, BlockUse::kData);
  const auto next = [&] {
    RecordChunk chunk;
    bool end = false;
    EXPECT_TRUE(cursor.Fill(1, 1, test_.calls, &chunk, &end).ok());
  };
  next();
  EXPECT_TRUE(ahead.requests.empty());
  while (test_.calls.cache_read_misses < 4 && ahead.requests.empty()) next();
  ASSERT_EQ(ahead.requests.size(), 1u);
  EXPECT_EQ(ahead.requests[0].size(), 4u);
}

TEST_F(SequentialRunTest, TheWindowGrowsWhileItIsUsedAndStaysBounded) {
  KeptReadAhead ahead(/*adaptive=*/true, /*first_bytes=*/4 * 496, /*most_bytes=*/64 * 496);
  test_.tree().SetReadAhead(&ahead);
  test_.Scan({});
  size_t largest = 0;
  for (const auto& request : ahead.requests) largest = std::max(largest, request.size());
  EXPECT_EQ(ahead.requests[0].size(), 4u);
  EXPECT_GT(largest, 20u);
  EXPECT_LE(largest, 64u);
}

TEST_F(SequentialRunTest, AFixedWindowStaysAsItIs) {
  KeptReadAhead ahead(/*adaptive=*/false);
  ahead.cold = false;  // it does not care
  test_.tree().SetReadAhead(&ahead);
  test_.Scan({});
  EXPECT_GT(ahead.requests.size(), 50u);
  for (const auto& request : ahead.requests) EXPECT_LE(request.size(), 4u);
  EXPECT_EQ(ahead.totals->pauses, 0);
}

TEST_F(SequentialRunTest, PausesWhereNothingHasToBeBrought) {
  KeptReadAhead ahead(/*adaptive=*/true);
  ahead.cold = false;
  test_.tree().SetReadAhead(&ahead);
  test_.Scan({});
  EXPECT_GT(ahead.totals->pauses, 1);
  EXPECT_LT(ahead.totals->asked, kRecords / 2 / 4);  // the file has more than kRecords / 2 blocks
}

TEST_F(SequentialRunTest, StartsLaterWhereItWasOfNoUse) {
  KeptReadAhead ahead(/*adaptive=*/true, 32 * 496, 64 * 496);
  test_.tree().SetReadAhead(&ahead);
  const std::shared_ptr<ReadAheadWorth> worth = test_.tree().read_ahead().worth;
  const auto read_few = [&](uint64_t records) {
    Restart();
    test_.tree().SetReadAhead(&ahead);
    Cursor cursor(&test_.tree(), {}, false, false, BlockUse::kData);
    RecordChunk chunk;
    bool end = false;
    EXPECT_TRUE(cursor.Fill(1 << 20, records, test_.calls, &chunk, &end).ok());
    return test_.tree().read_ahead().worth->sequential_blocks();
  };
  // The run ends with its cursor, behind the figure that is returned.
  EXPECT_EQ(worth->sequential_blocks(), ReadAheadWorth::kFirstSequential);
  read_few(6);
  EXPECT_GT(ahead.totals->unused, 20);
  worth->NoteEnd(1, 20);
  EXPECT_EQ(worth->sequential_blocks(), 4u);
  for (int i = 0; i < 20; ++i) worth->NoteEnd(1, 20);
  EXPECT_EQ(worth->sequential_blocks(), ReadAheadWorth::kMostSequential);
  for (int i = 0; i < 20; ++i) worth->NoteEnd(20, 1);
  EXPECT_EQ(worth->sequential_blocks(), ReadAheadWorth::kFirstSequential);
}

}  // namespace
}  // namespace quire
