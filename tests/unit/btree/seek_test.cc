#include "server/btree/seek.h"

#include <gtest/gtest.h>

#include <string>

#include "server/base/bytes.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

class SeekTest : public testing::Test {
 protected:
  SeekTest() : test_({}) {
    for (int n = 10; n <= 80; n += 10) {
      EXPECT_TRUE(test_.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
    }
    test_.calls = {};
  }
  std::string KeyAt(const LeafPosition& position) {
    if (position.at_end()) return "end";
    std::string_view record;
    std::string_view key;
    EXPECT_EQ(position.Get(&record, &key), absl::OkStatus());
    return std::string(key);
  }
  TestTree test_;
};

TEST_F(SeekTest, CountsTheBlockBesideWhenTheRecordIsThere) {
  LeafPosition position(test_.tree().parts(), false, BlockUse::kData);
  ASSERT_TRUE(position.Seek(SeekBound{"0020", false, false}, test_.calls).ok());
  EXPECT_EQ(KeyAt(position), "0030");
  EXPECT_EQ(test_.calls.driver_input_calls, 3);  // root, leaf, leaf beside
}

TEST_F(SeekTest, OpenBoundsAreTheEndsOfTheFile) {
  LeafPosition up(test_.tree().parts(), false, BlockUse::kData);
  ASSERT_TRUE(up.Seek(SeekBound{"ignored", true, true}, test_.calls).ok());
  EXPECT_EQ(KeyAt(up), "0010");
  LeafPosition down(test_.tree().parts(), true, BlockUse::kData);
  ASSERT_TRUE(down.Seek(SeekBound{"", true, true}, test_.calls).ok());
  EXPECT_EQ(KeyAt(down), "0080");
  EXPECT_TRUE(!down.last_in_chain() && !down.last_in_leaf());
}

TEST_F(SeekTest, StepWalksTheChainToItsEnd) {
  LeafPosition position(test_.tree().parts(), true, BlockUse::kData);
  ASSERT_TRUE(position.Seek(SeekBound{"0035", true, false}, test_.calls).ok());
  EXPECT_EQ(KeyAt(position), "0030");
  EXPECT_TRUE(position.last_in_leaf());
  EXPECT_FALSE(position.last_in_chain());
  ASSERT_TRUE(position.Step(test_.calls).ok());
  ASSERT_TRUE(position.Step(test_.calls).ok());
  EXPECT_EQ(KeyAt(position), "0010");
  EXPECT_TRUE(position.last_in_chain());
  ASSERT_TRUE(position.Step(test_.calls).ok());
  EXPECT_TRUE(position.at_end());
}

// A chain bent into a circle ends in 59.
TEST_F(SeekTest, CircleIs59) {
  test_.check_at_end = false;
  std::string image = test_.Image(4);  // 0050, 0060, after blocks 1 and 2
  StoreLittle<uint32_t>(image.data() + block_offset::kNext, 1);
  test_.Replace(4, image);
  LeafPosition position(test_.tree().parts(), false, BlockUse::kData);
  ASSERT_TRUE(position.Seek(SeekBound{"", true, true}, test_.calls).ok());
  absl::Status status;
  for (int step = 0; status.ok() && step < 100; ++step) status = position.Step(test_.calls);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kFileBad);
}

}  // namespace
}  // namespace quire
