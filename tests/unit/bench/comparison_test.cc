#include "client/bench/comparison.h"

#include <gtest/gtest.h>

#include "client/bench/report_generator.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(ComparisonTest, Median) {
  EXPECT_EQ(Median({3}), 3);
  EXPECT_EQ(Median({5, 1, 3}), 3);
  EXPECT_EQ(Median({4, 1, 3, 2}), 2.5);
}

TEST(ComparisonTest, FiguresAreMediansOverRepeats) {
  std::vector<RunResult> runs(3, GoodRun(Config::kA, false, kQuickRecords));
  runs[0].elapsed_s = 9;
  runs[1].elapsed_s = 4;
  runs[2].elapsed_s = 5;
  EXPECT_EQ(FiguresOf(runs, Config::kA, false)->elapsed_s, 5);
  EXPECT_FALSE(FiguresOf(runs, Config::kA, true).has_value());
  EXPECT_FALSE(FiguresOf(runs, Config::kB, false).has_value());
}

TEST(ComparisonTest, BufferedGain) {
  RunResult a = GoodRun(Config::kA, false, kQuickRecords);
  RunResult b = GoodRun(Config::kB, false, kQuickRecords);
  EXPECT_FALSE(BufferedGainOf({a}).has_value());
  a.elapsed_s = 7;
  b.elapsed_s = 3;
  a.disc.trail_syncs = 1001;
  a.disc.trail_sync_s = 4.004;
  b.disc.trail_syncs = 1;
  const std::optional<BufferedGain> gain = BufferedGainOf({a, b});
  ASSERT_TRUE(gain.has_value());
  EXPECT_DOUBLE_EQ(gain->saved_s, 4);
  EXPECT_DOUBLE_EQ(gain->syncs_saved, 1000);
  EXPECT_NEAR(gain->explained_s(), 4, 1e-9);
  EXPECT_NEAR(gain->ratio(), 1, 1e-9);
  a.disc.trail_syncs = 0;
  EXPECT_FALSE(BufferedGainOf({a, b}).has_value());
}

TEST(ComparisonTest, RM1AuditRateIsGivenByBothFigures) {
  RunResult b = GoodRun(Config::kB, true, kQuickRecords);
  RunResult d = GoodRun(Config::kD, true, kQuickRecords);
  b.elapsed_s = 9;
  b.placed_s = 12;
  d.elapsed_s = 10;
  d.placed_s = 15;
  const std::optional<AuditRate> rate = AuditRateOf({b, d});
  ASSERT_TRUE(rate.has_value());
  EXPECT_DOUBLE_EQ(rate->replied, 0.9);
  EXPECT_DOUBLE_EQ(rate->placed, 0.8);
  d.load_case.in_flight = 1;
  EXPECT_FALSE(AuditRateOf({b, d}).has_value());
}

}  // namespace
}  // namespace bench
}  // namespace quire
