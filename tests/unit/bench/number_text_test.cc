#include "client/bench/number_text.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace quire {
namespace bench {
namespace {

TEST(NumberTextTest, Counts) {
  EXPECT_EQ(CountText(0), "0");
  EXPECT_EQ(CountText(999), "999");
  EXPECT_EQ(CountText(402047), "402,047");
  EXPECT_EQ(CountText(-1234567), "-1,234,567");
  EXPECT_EQ(CountText(INT64_MIN), "-9,223,372,036,854,775,808");
}

TEST(NumberTextTest, Rounds) {
  EXPECT_EQ(RoundsText(1), "1 round");
  EXPECT_EQ(RoundsText(5), "5 rounds");
}

TEST(NumberTextTest, SecondsAndBytes) {
  EXPECT_EQ(SecondsText(1.005), "1.00");
  EXPECT_EQ(MebibytesText(uint64_t{1536} << 20), "1,536 MiB");
  EXPECT_EQ(MebibytesText((1 << 19) - 1), "0 MiB");
}

TEST(NumberTextTest, Differences) {
  EXPECT_EQ(DifferenceText(100, 100), "0 %");
  EXPECT_EQ(DifferenceText(401533, 402047), "-0.13 %");
  EXPECT_EQ(DifferenceText(135068, 135070), "-0.001 %");
  EXPECT_EQ(DifferenceText(150, 100), "+50.0 %");
  EXPECT_EQ(DifferenceText(5000, 100), "+4900 %");
  EXPECT_EQ(DifferenceText(5, 0), "-");
}

}  // namespace
}  // namespace bench
}  // namespace quire
