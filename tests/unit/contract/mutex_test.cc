#include "quire/mutex.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace quire {
namespace {

struct Turnstile {
  Mutex mutex;
  CondVar changed;
  int turns ABSL_GUARDED_BY(mutex) = 0;
};

TEST(MutexTest, OneHolderAtATime) {
  Turnstile turnstile;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int turn = 0; turn < 1000; ++turn) {
        MutexLock lock(&turnstile.mutex);
        ++turnstile.turns;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  MutexLock lock(&turnstile.mutex);
  EXPECT_EQ(turnstile.turns, 4000);
}

TEST(MutexTest, WaitingThreadSeesWhatWasSignalled) {
  Turnstile turnstile;
  std::thread opener([&] {
    MutexLock lock(&turnstile.mutex);
    turnstile.turns = 1;
    turnstile.changed.SignalAll();
  });
  {
    MutexLock lock(&turnstile.mutex);
    while (turnstile.turns == 0) turnstile.changed.Wait(&turnstile.mutex);
    EXPECT_EQ(turnstile.turns, 1);
  }
  opener.join();
}

TEST(MutexTest, WaitEndsWhenTheTimeIsOver) {
  Turnstile turnstile;
  MutexLock lock(&turnstile.mutex);
  // Without a signal; waits that end early are repeated.
  while (turnstile.changed.WaitForMicros(&turnstile.mutex, 1000)) {
  }
  EXPECT_EQ(turnstile.turns, 0);
}

}  // namespace
}  // namespace quire
