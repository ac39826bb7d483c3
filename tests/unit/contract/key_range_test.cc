#include "quire/key_range.h"

#include "gtest/gtest.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

using std::string_literals::operator""s;

// Few letters and short keys, so that borders are met often; the extremes of unsigned bytes too.
std::string RandomKey(TestRandom& random) {
  return random.Text(random.Below(4), "\x00\x01\x7F\x80\xFF"s);
}

TEST(KeyRangeTest, StartIsInsideAndLimitIsNot) {
  const KeyRange range{"b", "d"};
  EXPECT_FALSE(range.Contains("a"));
  EXPECT_TRUE(range.Contains("b"));
  EXPECT_TRUE(range.Contains("czz"));
  EXPECT_FALSE(range.Contains("d"));
  EXPECT_TRUE((KeyRange{"b", ""}).Contains("\xFF\xFF"));
  EXPECT_TRUE(KeyRange().Contains(""));
}

TEST(KeyRangeTest, BytesAreUnsigned) {
  EXPECT_TRUE((KeyRange{"\x7F", ""}).Contains("\x80"));
  EXPECT_FALSE((KeyRange{"", "\x80"}).Contains("\xFF"));
}

TEST(KeyRangeTest, EmptyMeansThatNoKeyFits) {
  EXPECT_TRUE((KeyRange{"b", "b"}).IsEmpty());
  EXPECT_TRUE((KeyRange{"c", "b"}).IsEmpty());
  EXPECT_FALSE((KeyRange{"b", ""}).IsEmpty());
  EXPECT_FALSE((KeyRange{"b", "b\0"s}).IsEmpty());  // holds "b" itself
}

TEST(KeyRangeTest, IntersectionHoldsTheKeysThatAreInBoth) {
  TestRandom random;
  for (int i = 0; i < 20000; ++i) {
    const KeyRange a{RandomKey(random), RandomKey(random)};
    const KeyRange b{RandomKey(random), RandomKey(random)};
    const std::string key = RandomKey(random);
    const KeyRange both = a.Intersect(b);
    ASSERT_EQ(both.Contains(key), a.Contains(key) && b.Contains(key));
    ASSERT_EQ(both, b.Intersect(a));
    ASSERT_EQ(a.Intersect(KeyRange()), a);
    ASSERT_FALSE(both.IsEmpty() && both.Contains(key));
  }
}

TEST(KeyRangeTest, PrefixHoldsTheKeysThatBeginWithIt) {
  TestRandom random;
  for (int i = 0; i < 20000; ++i) {
    const std::string prefix = RandomKey(random);
    const std::string key = RandomKey(random);
    ASSERT_EQ(KeyRange::Prefix(prefix).Contains(key), key.starts_with(prefix));
  }
}

TEST(KeyRangeTest, PrefixLimit) {
  EXPECT_EQ(PrefixLimit("ab"), "ac");
  EXPECT_EQ(PrefixLimit("a\xFF\xFF"), "b");
  EXPECT_EQ(PrefixLimit("\x7F"), "\x80");
  EXPECT_EQ(PrefixLimit("\xFF\xFF"), "");
  EXPECT_EQ(PrefixLimit(""), "");
}

}  // namespace
}  // namespace quire
