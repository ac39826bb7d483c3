#include "client/bench/latency_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

TEST(LatencyFiguresTest, PercentilesAreNearestRanks) {
  std::vector<int64_t> values;
  for (int64_t i = 100; i >= 1; --i) values.push_back(i);
  EXPECT_EQ(Percentile(&values, 0.50), 50);
  EXPECT_EQ(Percentile(&values, 0.99), 99);
  EXPECT_EQ(Percentile(&values, 0.0), 1);
  EXPECT_EQ(Percentile(&values, 1.0), 100);
  std::vector<int64_t> one = {7};
  EXPECT_EQ(Percentile(&one, 0.99), 7);
}

TEST(LatencyFiguresTest, TheRateIsTheMedianOfTheRounds) {
  const LatencyFigures figures = SummarizeRounds(
      "reads", {LatencyRound{10, 1000000000, {1000, 2000}}, LatencyRound{30, 1000000000, {3000}},
                LatencyRound{20, 1000000000, {4000}}});
  EXPECT_DOUBLE_EQ(figures.per_second, 20);
  EXPECT_DOUBLE_EQ(figures.per_second_low, 10);
  EXPECT_DOUBLE_EQ(figures.per_second_high, 30);
  EXPECT_DOUBLE_EQ(figures.p50_us, 2);
  EXPECT_DOUBLE_EQ(figures.p99_us, 4);
  EXPECT_THAT(LatencyTable({figures}), testing::HasSubstr("reads"));
}

}  // namespace
}  // namespace bench
}  // namespace quire
