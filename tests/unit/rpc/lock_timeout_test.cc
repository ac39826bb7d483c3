#include "server/rpc/lock_timeout.h"

#include "gtest/gtest.h"

namespace quire {
namespace {

using Clock = std::chrono::system_clock;
using std::chrono::milliseconds;

// R-S4: what is left less 1 % and 100 ms, within 1 ms and 60 s; what the caller says goes before.
TEST(LockTimeoutTest, RS4ShortlyBeforeTheDeadline) {
  const Clock::time_point now{std::chrono::hours(500000)};
  EXPECT_EQ(LockTimeoutMs(0, now + milliseconds(5000), now), 4850u);
  EXPECT_EQ(LockTimeoutMs(0, now + milliseconds(102), now), 1u);
  EXPECT_EQ(LockTimeoutMs(0, now + milliseconds(100), now), 1u);
  EXPECT_EQ(LockTimeoutMs(0, now - milliseconds(100), now), 1u);
  EXPECT_EQ(LockTimeoutMs(0, now + milliseconds(50000), now), 49400u);
  EXPECT_EQ(LockTimeoutMs(0, now + milliseconds(61000), now), kLockTimeoutMs);
  EXPECT_EQ(LockTimeoutMs(0, Clock::time_point::max(), now), kLockTimeoutMs);
  EXPECT_EQ(LockTimeoutMs(0, Clock::time_point::min(), now), 1u);
  EXPECT_EQ(LockTimeoutMs(7, now + milliseconds(5000), now), 7u);
}

}  // namespace
}  // namespace quire
