#include "quire/wakeup.h"

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace quire {
namespace {

class WakeupTest : public testing::TestWithParam<WakeupKind> {};

// Two threads hand one token to and fro: a wake-up that is lost stops them for good.
TEST_P(WakeupTest, PingPongLosesNoSignal) {
  constexpr int kTurns = 20000;
  Mutex mutex;
  Wakeup wakeups[2];
  for (Wakeup& wakeup : wakeups) wakeup.Use(GetParam());
  int turn = 0;  // under mutex; whose it is: its parity
  const auto play = [&](int me) {
    MutexLock lock(&mutex);
    while (turn < kTurns) {
      while (turn % 2 != me && turn < kTurns) wakeups[me].Wait(&mutex);
      if (turn < kTurns) ++turn;
      wakeups[1 - me].Signal();
    }
  };
  std::thread other([&] { play(1); });
  play(0);
  other.join();
  EXPECT_EQ(turn, kTurns);
}

// As the disc process uses it: many who post, under the mutex or behind it, one who waits.
TEST_P(WakeupTest, ManyPostersOneWaiterLoseNoSignal) {
  constexpr int kPosters = 4;
  constexpr uint64_t kPosts = 5000;
  Mutex mutex;
  Wakeup wakeup;
  wakeup.Use(GetParam());
  uint64_t queued = 0;  // under mutex
  const auto post = [&](bool under_mutex) {
    for (uint64_t i = 0; i < kPosts; ++i) {
      {
        MutexLock lock(&mutex);
        ++queued;
        if (under_mutex) wakeup.Signal();
      }
      if (!under_mutex) wakeup.Signal();
    }
  };
  std::vector<std::thread> posters;
  for (int i = 0; i < kPosters; ++i) posters.emplace_back(post, i % 2 == 0);
  uint64_t taken = 0;
  while (taken < kPosters * kPosts) {
    MutexLock lock(&mutex);
    while (queued == 0) wakeup.Wait(&mutex);
    taken += queued;
    queued = 0;
  }
  for (std::thread& poster : posters) poster.join();
  EXPECT_EQ(taken, kPosters * kPosts);
}

TEST_P(WakeupTest, AWaitWithAnEndEndsWithoutASignal) {
  Mutex mutex;
  Wakeup wakeup;
  wakeup.Use(GetParam());
  MutexLock lock(&mutex);
  for (const int64_t micros : {-1, 0, 1, 1000}) wakeup.WaitForMicros(&mutex, micros);
}

TEST_P(WakeupTest, AWaitWithAnEndLosesNoSignal) {
  constexpr int64_t kFarAway = 600 * int64_t{1000000};  // a lost signal would be waited for so long
  constexpr int kSignals = 2000;
  Mutex mutex;
  Wakeup wakeup;
  wakeup.Use(GetParam());
  int queued = 0;  // under mutex
  std::thread poster([&] {
    for (int i = 0; i < kSignals; ++i) {
      MutexLock lock(&mutex);
      ++queued;
      wakeup.Signal();
    }
  });
  for (int taken = 0; taken < kSignals;) {
    MutexLock lock(&mutex);
    while (queued == 0) wakeup.WaitForMicros(&mutex, kFarAway);
    taken += queued;
    queued = 0;
  }
  poster.join();
}

INSTANTIATE_TEST_SUITE_P(Kinds, WakeupTest,
                         testing::Values(WakeupKind::kCondition, WakeupKind::kFutex,
                                         WakeupKind::kSpin, WakeupKind::kEventfd),
                         [](const testing::TestParamInfo<WakeupKind>& kind) {
                           return std::string(kWakeupNames[static_cast<size_t>(kind.param)]);
                         });

TEST(WakeupKindTest, EveryNameIsFoundAndOthersAreNot) {
  for (size_t i = 0; i < kWakeupNames.size(); ++i) {
    EXPECT_EQ(WakeupKindOf(kWakeupNames[i]), static_cast<WakeupKind>(i));
  }
  EXPECT_EQ(WakeupKindOf("pigeon"), std::nullopt);
}

}  // namespace
}  // namespace quire
