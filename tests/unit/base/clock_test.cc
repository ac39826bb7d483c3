#include "server/base/clock.h"

#include "gtest/gtest.h"

namespace quire {
namespace {

TEST(ClockTest, MonotonicTimeNeverGoesBackAndMovesOn) {
  const Clock* clock = Clock::Real();
  const int64_t start_us = clock->MonotonicMicros();
  int64_t before_us = start_us;
  while (before_us == start_us) {
    const int64_t now_us = clock->MonotonicMicros();
    ASSERT_GE(now_us, before_us);
    before_us = now_us;
  }
}

TEST(ClockTest, WallTimeIsUnixTimeInMicroseconds) {
  constexpr int64_t kYear2020Us = 1'577'836'800'000'000;
  constexpr int64_t kYear2200Us = 7'258'118'400'000'000;
  EXPECT_GT(Clock::Real()->WallMicros(), kYear2020Us);
  EXPECT_LT(Clock::Real()->WallMicros(), kYear2200Us);
}

TEST(ClockTest, ThereIsOneRealClock) {
  EXPECT_EQ(Clock::Real(), Clock::Real());
}

}  // namespace
}  // namespace quire
