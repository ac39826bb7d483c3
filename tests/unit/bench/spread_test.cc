#include "client/bench/page/spread.h"

#include <gtest/gtest.h>

#include <limits>

namespace quire {
namespace bench {
namespace {

TEST(SpreadTest, MedianAndRange) {
  const Spread odd = SpreadOf({3, 1, 2});
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.low, 1);
  EXPECT_EQ(odd.high, 3);
  EXPECT_EQ(odd.rounds, 3u);
  EXPECT_EQ(SpreadOf({4, 1, 3, 2}).median, 2.5);
  EXPECT_EQ(SpreadOf({7}).median, 7);
}

TEST(SpreadTest, RatiosAreTakenRoundByRound) {
  // The medians alone would give 1.
  const Spread ratio = RatioSpread({10, 20, 40}, {20, 10, 20});
  EXPECT_EQ(ratio.low, 0.5);
  EXPECT_EQ(ratio.median, 2);
  EXPECT_EQ(ratio.high, 2);
}

TEST(SpreadTest, FiguresAsPeopleReadThem) {
  EXPECT_EQ(FigureText(0), "0");
  EXPECT_EQ(FigureText(1234567.8), "1,234,568");
  EXPECT_EQ(FigureText(99.96), "100.0");
  EXPECT_EQ(FigureText(12.34), "12.3");
  EXPECT_EQ(FigureText(1.239), "1.24");
  EXPECT_EQ(FigureText(0.8126), "0.813");
  EXPECT_EQ(FigureText(0.012345), "0.0123");
  EXPECT_EQ(FigureText(-1234), "-1,234");
  EXPECT_EQ(FigureText(std::numeric_limits<double>::infinity()), "-");
}

TEST(SpreadTest, OneRoundHasNoRange) {
  EXPECT_EQ(SpreadText(SpreadOf({1234})), "1,234");
  EXPECT_EQ(SpreadText(SpreadOf({100, 200, 300})), "200 (100 – 300)");
}

}  // namespace
}  // namespace bench
}  // namespace quire
