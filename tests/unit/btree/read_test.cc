#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/support/test_random.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

Operation ReadOf(ReadMode mode, std::string_view key, bool reverse = false, bool skip = false) {
  Operation read;
  read.mode = mode;
  read.key = key;
  read.reverse = reverse;
  read.skip_exact = skip;
  return read;
}

class ReadTest : public testing::Test {
 protected:
  ReadTest() : test_({}) {
    for (int n = 10; n <= 100; n += 10) {
      EXPECT_TRUE(test_.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
    }
    test_.calls = {};
  }
  std::string KeyRead(ReadMode mode, std::string_view key, bool reverse = false,
                      bool skip = false) {
    return test_.Read(ReadOf(mode, key, reverse, skip)).substr(0, 4);
  }
  TestTree test_;
};

TEST_F(ReadTest, C2CountsIndexBlocksAndTheDataBlock) {
  EXPECT_EQ(KeyRead(ReadMode::kByKey, "0030"), "0030");
  EXPECT_EQ(test_.calls.driver_input_calls, 2);
  EXPECT_EQ(test_.calls.driver_output_calls, 0);
}

// R-S6: by key 11, positioned reads 1.
TEST_F(ReadTest, S6MissingRecords) {
  EXPECT_EQ(KeyRead(ReadMode::kByKey, "0031"), "[11]");
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, "0101"), "[1]");
  EXPECT_EQ(KeyRead(ReadMode::kGeneric, "1"), "[1]");
  TestTree empty({});
  EXPECT_EQ(empty.ReadByKey("0031"), "[11]");
  EXPECT_EQ(empty.Read(ReadOf(ReadMode::kApproximate, "0031")), "[1]");
}

TEST_F(ReadTest, Approximate) {
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, "0030"), "0030");
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, "0030", false, true), "0040");
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, "0021"), "0030");
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, ""), "0010");
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, "0030", true), "0030");
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, "0030", true, true), "0020");
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, "9", true), "0100");
  EXPECT_EQ(KeyRead(ReadMode::kApproximate, "0009", true), "[1]");
}

TEST_F(ReadTest, Generic) {
  EXPECT_EQ(KeyRead(ReadMode::kGeneric, "00"), "0010");
  EXPECT_EQ(KeyRead(ReadMode::kGeneric, "00", true), "0090");
  EXPECT_EQ(KeyRead(ReadMode::kGeneric, "01"), "0100");
  EXPECT_EQ(KeyRead(ReadMode::kGeneric, "", true), "0100");
  EXPECT_EQ(KeyRead(ReadMode::kGeneric, "0050"), "0050");
}

TEST(ReadModel, AgreesWithASetAcrossBlockBorders) {
  TestRandom random;
  TestTree test({});
  std::set<std::string> keys;
  for (int i = 0; i < 1500; ++i) {
    const std::string key = random.Text(4, "abc\xff");
    if (keys.insert(key).second) {
      ASSERT_TRUE(test.Insert(RecordOf(key, 100)).ok());
    }
  }
  for (int i = 0; i < 20000; ++i) {
    const std::string key = random.Text(random.Below(5), "abc\xff");
    const bool reverse = random.OneIn(2);
    const bool skip = random.OneIn(2);
    // The border lies before an equal key when that is the first wanted upwards or not wanted
    // downwards, else behind it.
    const auto found = skip == reverse ? keys.lower_bound(key) : keys.upper_bound(key);
    std::string expected = "[1]";
    if (!reverse && found != keys.end()) expected = *found;
    if (reverse && found != keys.begin()) expected = *std::prev(found);
    ASSERT_EQ(test.Read(ReadOf(ReadMode::kApproximate, key, reverse, skip)).substr(0, 4), expected);
    const auto begin = keys.lower_bound(key);
    const std::string limit = PrefixLimit(key);
    const auto end = limit.empty() ? keys.end() : keys.lower_bound(limit);
    expected = begin == end ? "[1]" : reverse ? *std::prev(end) : *begin;
    ASSERT_EQ(test.Read(ReadOf(ReadMode::kGeneric, key, reverse)).substr(0, 4), expected);
  }
}

}  // namespace
}  // namespace quire
