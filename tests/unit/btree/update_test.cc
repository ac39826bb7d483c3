#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

class UpdateTest : public testing::Test {
 protected:
  UpdateTest() : test_({}) {
    for (int n : {10, 20, 30, 40}) EXPECT_TRUE(test_.Insert(RecordOf(DigitKey(n), 200)).ok());
    test_.calls = {};
  }
  TestTree test_;
};

TEST_F(UpdateTest, C2InPlaceIsDescentAndOneWrite) {
  EXPECT_EQ(test_.Update(RecordOf("0020", 220, 'u')), absl::OkStatus());
  EXPECT_EQ(test_.Update(RecordOf("0010", 4)), absl::OkStatus());
  EXPECT_EQ(test_.calls.driver_input_calls, 2);
  EXPECT_EQ(test_.calls.driver_output_calls, 2);
  EXPECT_EQ(test_.calls.cache_write_cleans, 2);
  EXPECT_EQ(test_.ReadByKey("0020"), RecordOf("0020", 220, 'u'));
  EXPECT_EQ(test_.ReadByKey("0010"), "0010");
  EXPECT_EQ(test_.state().record_count, 4u);
}

TEST_F(UpdateTest, GrowingBeyondTheBlockSplits) {
  EXPECT_EQ(test_.Update(RecordOf("0010", 300, 'u')), absl::OkStatus());
  EXPECT_EQ(test_.calls.block_splits, 1);
  EXPECT_EQ(test_.Update(RecordOf("0040", 400, 'u')), absl::OkStatus());
  EXPECT_EQ(test_.calls.block_splits, 2);
  EXPECT_EQ(test_.ReadByKey("0010"), RecordOf("0010", 300, 'u'));
  EXPECT_EQ(test_.ReadByKey("0040"), RecordOf("0040", 400, 'u'));
  EXPECT_EQ(test_.Scan({}).size(), 4u);
  EXPECT_EQ(test_.state().record_count, 4u);
}

TEST_F(UpdateTest, MissingIs11AndCountsTheDescentOnly) {
  EXPECT_EQ(NumberOf(test_.Update(RecordOf("0015", 200))), ErrorNumber::kNotFound);
  EXPECT_EQ(test_.calls.driver_input_calls, 1);
  EXPECT_EQ(test_.calls.driver_output_calls, 0);
  TestTree empty({});
  EXPECT_EQ(NumberOf(empty.Update(RecordOf("0015", 200))), ErrorNumber::kNotFound);
}

TEST_F(UpdateTest, RefusedGrowthChangesNothing) {
  const TreeState before = test_.state();
  const std::vector<std::string> images = test_.Images();
  test_.gate_answer = MakeError(ErrorNumber::kFileFull, "full");
  EXPECT_EQ(NumberOf(test_.Update(RecordOf("0010", 300))), ErrorNumber::kFileFull);
  EXPECT_EQ(test_.state(), before);
  EXPECT_EQ(test_.Images(), images);
}

}  // namespace
}  // namespace quire
