#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/test_random.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

TEST(Erase, C2IsDescentAndOneWrite) {
  TestTree test({});
  for (int n : {10, 20, 30, 40}) ASSERT_TRUE(test.Insert(RecordOf(DigitKey(n), 200)).ok());
  test.calls = {};
  EXPECT_EQ(test.Erase("0010"), absl::OkStatus());
  EXPECT_EQ(test.calls.driver_input_calls, 1);
  EXPECT_EQ(test.calls.driver_output_calls, 1);
  EXPECT_EQ(test.ReadByKey("0010"), "[11]");
  EXPECT_EQ(test.ReadByKey("0020").substr(0, 4), "0020");
  EXPECT_EQ(test.state().record_count, 3u);
}

TEST(Erase, C2EmptiedBlockAlsoBitmapNeighboursParentLabel) {
  TestTree test({});
  for (int n = 1; n <= 10; ++n) ASSERT_TRUE(test.Insert(RecordOf(DigitKey(n), 200)).ok());
  ASSERT_TRUE(test.Erase("0005").ok());
  test.calls = {};
  EXPECT_EQ(test.Erase("0006"), absl::OkStatus());
  EXPECT_EQ(test.calls.driver_input_calls, 1);
  EXPECT_EQ(test.calls.driver_output_calls, 6);
  EXPECT_EQ(test.calls.cache_write_cleans, 6);
  EXPECT_EQ(test.state().free_blocks, 1u);
}

TEST(Erase, MissingIs11AndCountsTheDescentOnly) {
  TestTree test({});
  EXPECT_EQ(NumberOf(test.Erase("0001")), ErrorNumber::kNotFound);
  for (int n : {10, 20, 30}) ASSERT_TRUE(test.Insert(RecordOf(DigitKey(n), 200)).ok());
  test.calls = {};
  EXPECT_EQ(NumberOf(test.Erase("0015")), ErrorNumber::kNotFound);
  EXPECT_EQ(test.calls.driver_input_calls, 1);
  EXPECT_EQ(test.calls.driver_output_calls, 0);
}

TEST(Erase, RootWithASingleChildGoes) {
  TestTree test({});
  for (int n : {10, 20, 30}) ASSERT_TRUE(test.Insert(RecordOf(DigitKey(n), 200)).ok());
  ASSERT_EQ(test.state().index_levels, 1u);
  ASSERT_TRUE(test.Erase("0030").ok());
  EXPECT_EQ(test.state().index_levels, 0u);
  EXPECT_EQ(test.state().root, 1u);
  EXPECT_EQ(test.state().free_blocks, 2u);
  EXPECT_EQ(test.Scan({}).size(), 2u);
}

// Erased to nothing in several orders and filled again: blocks are reused, EOF stands still.
class EraseToEmpty : public testing::TestWithParam<int> {};

TEST_P(EraseToEmpty, AndRefill) {
  constexpr int kRecords = 3000;
  TestRandom random;
  TestTree test({});
  std::vector<int> order(kRecords);
  for (int n = 0; n < kRecords; ++n) order[static_cast<size_t>(n)] = n;
  for (int n : order) ASSERT_TRUE(test.Insert(RecordOf(DigitKey(n), 100)).ok());
  const TreeState full = test.state();
  ASSERT_EQ(full.index_levels, 2u);
  if (GetParam() == 1) std::reverse(order.begin(), order.end());
  if (GetParam() == 2) {
    for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.Below(i + 1)]);
  }
  for (size_t i = 0; i < order.size(); ++i) {
    ASSERT_EQ(test.Erase(DigitKey(static_cast<uint64_t>(order[i]))), absl::OkStatus());
    if (i % 50 == 0) {
      ASSERT_EQ(test.tree().Check(), absl::OkStatus()) << i;
    }
  }
  EXPECT_EQ(test.state().root, 0u);
  EXPECT_EQ(test.state().index_levels, 0u);
  EXPECT_EQ(test.state().record_count, 0u);
  EXPECT_EQ(test.state().eof_blocks, full.eof_blocks);
  EXPECT_EQ(test.state().free_blocks, full.eof_blocks - 1);  // all but the bitmap
  test.gate_asked.clear();
  for (int n = 0; n < kRecords; ++n) ASSERT_TRUE(test.Insert(RecordOf(DigitKey(n), 100)).ok());
  EXPECT_EQ(test.state(), full);
  EXPECT_TRUE(test.gate_asked.empty());
}

INSTANTIATE_TEST_SUITE_P(Orders, EraseToEmpty, testing::Values(0, 1, 2));

}  // namespace
}  // namespace quire
