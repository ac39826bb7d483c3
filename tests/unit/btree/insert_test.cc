#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "server/btree/block_view.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

// Records of 200 bytes: two to a block of 512.
class InsertTest : public testing::Test {
 protected:
  InsertTest() : test_({}) {}
  void Insert(int n) { ASSERT_EQ(test_.Insert(RecordOf(DigitKey(n), 200)), absl::OkStatus()); }
  // Keys of a data block.
  std::vector<std::string> Keys(BlockNumber block) {
    const std::string image = test_.Image(block);
    BlockView view(absl::MakeConstSpan(image));
    std::vector<std::string> keys;
    for (uint32_t i = 0; i < view.count(); ++i) keys.emplace_back(view.Key(i, {0, 4}));
    return keys;
  }
  using List = std::vector<std::string>;
  TestTree test_;
};

TEST_F(InsertTest, FirstRecordMakesBitmapAndRoot) {
  Insert(5);
  EXPECT_EQ(test_.state(), (TreeState{1, 0, 2, 0, 0, 1}));
  EXPECT_EQ(test_.calls.block_splits, 0);
  EXPECT_EQ(test_.gate_asked, std::vector<uint64_t>{2});
}

TEST_F(InsertTest, C1PlainInsertIsOneWriteCall) {
  Insert(5);
  test_.calls = {};
  Insert(6);
  EXPECT_EQ(test_.calls.driver_input_calls, 0);
  EXPECT_EQ(test_.calls.driver_output_calls, 1);
  EXPECT_EQ(test_.calls.cache_write_cleans, 1);
}

TEST_F(InsertTest, SplitAfterTheLastRecordMovesNothing) {
  for (int n : {10, 20, 30, 40, 50, 60}) Insert(n);
  EXPECT_EQ(test_.calls.block_splits, 2);
  // Also in the middle of the chain.
  Insert(45);
  EXPECT_EQ(test_.calls.block_splits, 3);
  EXPECT_EQ(Keys(1), (List{"0010", "0020"}));
  EXPECT_EQ(Keys(2), (List{"0030", "0040"}));
  EXPECT_EQ(Keys(4), (List{"0050", "0060"}));
  EXPECT_EQ(Keys(5), (List{"0045"}));
}

TEST_F(InsertTest, SplitElsewhereLeavesTheLargerHalfLeft) {
  for (int n : {10, 20, 15}) Insert(n);
  EXPECT_EQ(Keys(1), (List{"0010", "0015"}));
  EXPECT_EQ(Keys(2), (List{"0020"}));
}

TEST_F(InsertTest, C1CallsOfASplit) {
  for (int n : {10, 20, 30, 40, 50, 60}) Insert(n);
  test_.calls = {};
  Insert(45);                                    // with a right neighbour
  EXPECT_EQ(test_.calls.driver_input_calls, 2);  // root, new block
  EXPECT_EQ(test_.calls.cache_hits, 2);
  // Bitmap, new block twice, old block, neighbour, parent, label.
  EXPECT_EQ(test_.calls.driver_output_calls, 7);
  EXPECT_EQ(test_.calls.cache_write_hits, 1);  // the new block when formatted
  EXPECT_EQ(test_.calls.cache_write_cleans, 6);
  EXPECT_EQ(test_.calls.block_splits, 1);
  test_.calls = {};
  Insert(65);  // without
  EXPECT_EQ(test_.calls.driver_output_calls, 6);
}

TEST_F(InsertTest, C1NewRootIsAllocatedLikeAnyBlock) {
  Insert(10);
  Insert(20);
  test_.calls = {};
  Insert(30);
  EXPECT_EQ(test_.calls.driver_input_calls, 2);  // new data block, new root
  // Two bitmap calls, twice two for the new blocks, old block, label.
  EXPECT_EQ(test_.calls.driver_output_calls, 8);
  EXPECT_EQ(test_.calls.cache_write_hits, 2);
  EXPECT_EQ(test_.calls.block_splits, 1);
  EXPECT_EQ(test_.state().index_levels, 1u);
}

TEST_F(InsertTest, RefusedDuplicateCountsItsDescentOnly) {
  for (int n : {10, 20, 30}) Insert(n);
  const TreeState before = test_.state();
  const std::vector<std::string> images = test_.Images();
  test_.calls = {};
  EXPECT_EQ(NumberOf(test_.Insert(RecordOf("0020", 300))), ErrorNumber::kAlreadyExists);
  EXPECT_EQ(test_.calls.driver_input_calls, 1);
  EXPECT_EQ(test_.calls.driver_output_calls, 0);
  EXPECT_EQ(test_.state(), before);
  EXPECT_EQ(test_.Images(), images);
}

TEST_F(InsertTest, RefusedGrowthChangesNothing) {
  for (int n : {10, 20, 30, 40}) Insert(n);
  const TreeState before = test_.state();
  const std::vector<std::string> images = test_.Images();
  const uint64_t version = test_.tree().version();
  test_.gate_answer = MakeError(ErrorNumber::kFileFull, "full");
  test_.calls = {};
  EXPECT_EQ(NumberOf(test_.Insert(RecordOf("0050", 200))), ErrorNumber::kFileFull);
  EXPECT_EQ(NumberOf(test_.Insert(RecordOf("0015", 200))), ErrorNumber::kFileFull);
  EXPECT_EQ(test_.calls.driver_input_calls, 2);
  EXPECT_EQ(test_.calls.driver_output_calls, 0);
  EXPECT_EQ(test_.calls.block_splits, 0);
  EXPECT_EQ(test_.state(), before);
  EXPECT_EQ(test_.Images(), images);
  EXPECT_EQ(test_.tree().version(), version);
  // What needs no new block goes on.
  EXPECT_EQ(test_.Insert(RecordOf("0050", 20)), absl::OkStatus());
}

TEST_F(InsertTest, RefusedFirstRecordLeavesAnEmptyTree) {
  test_.gate_answer = MakeError(ErrorNumber::kNoDiscSpace, "no room");
  EXPECT_EQ(NumberOf(test_.Insert(RecordOf("0050", 200))), ErrorNumber::kNoDiscSpace);
  EXPECT_EQ(test_.state(), TreeState{});
  EXPECT_EQ(test_.calls.driver_output_calls, 0);
}

TEST_F(InsertTest, GateIsAskedOncePerGrowthWithTheFinalEof) {
  Insert(10);
  Insert(20);
  test_.gate_asked.clear();
  Insert(30);  // data block and root
  EXPECT_EQ(test_.gate_asked, std::vector<uint64_t>{4});
}

TEST_F(InsertTest, B3RecordThatFitsNeitherHalfMakesTwoSplits) {
  ASSERT_TRUE(test_.Insert(RecordOf("0010", 200)).ok());
  ASSERT_TRUE(test_.Insert(RecordOf("0030", 200)).ok());
  test_.calls = {};
  ASSERT_TRUE(test_.Insert(RecordOf("0020", 450)).ok());
  EXPECT_EQ(test_.calls.block_splits, 2);
  EXPECT_EQ(test_.Scan({}).size(), 3u);
  EXPECT_EQ(Keys(2), List{"0020"});
  EXPECT_EQ(Keys(3), List{"0030"});
}

TEST_F(InsertTest, NoFramesIs31AndChangesNothing) {
  TestTree test({4096, {0, 4}, 65536, true});
  int n = 0;
  absl::Status status;
  while (status.ok()) status = test.tree().Insert(RecordOf(DigitKey(n++), 2000), test.calls);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kNoBufferSpace);
  EXPECT_EQ(test.state().record_count, static_cast<uint64_t>(n - 1));
  test.Flush();
  EXPECT_EQ(test.tree().Insert(RecordOf(DigitKey(n - 1), 2000), test.calls), absl::OkStatus());
  test.Flush();
}

}  // namespace
}  // namespace quire
