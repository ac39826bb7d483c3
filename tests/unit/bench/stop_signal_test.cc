#include "client/bench/stop_signal.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>

namespace quire {
namespace bench {
namespace {

// In children: the flag is the whole process's.
TEST(StopSignalDeathTest, TheFirstSignalSetsTheFlagTheSecondEnds) {
  EXPECT_FALSE(StopRequested());
  EXPECT_EXIT(
      {
        WatchStopSignals();
        raise(SIGTERM);
        std::exit(StopRequested() ? 4 : 5);
      },
      testing::ExitedWithCode(4), "");
  EXPECT_EXIT(
      {
        WatchStopSignals();
        raise(SIGINT);
        raise(SIGINT);
        std::exit(0);
      },
      testing::KilledBySignal(SIGINT), "");
  EXPECT_FALSE(StopRequested());
}

}  // namespace
}  // namespace bench
}  // namespace quire
