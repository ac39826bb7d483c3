#include "server/base/thread_timer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace quire {
namespace {

std::atomic<int> signals = 0;
std::atomic<pid_t> receiver = 0;

void OnSignal(int) {
  receiver = gettid();
  ++signals;
}

TEST(ThreadTimer, ItsThreadGetsTheSignalAgainAndAgain) {
  struct sigaction action = {};
  action.sa_handler = &OnSignal;
  struct sigaction before = {};
  ASSERT_EQ(sigaction(SIGVTALRM, &action, &before), 0);
  std::thread other([] {
    const std::optional<timer_t> timer =
        StartThreadTimer(gettid(), CLOCK_THREAD_CPUTIME_ID, SIGVTALRM, 1'000'000);
    ASSERT_TRUE(timer.has_value());
    while (signals < 3) {  // the timer goes by the processor time used here
    }
    EXPECT_EQ(receiver, gettid());
    EXPECT_EQ(timer_delete(*timer), 0);
  });
  other.join();
  EXPECT_EQ(sigaction(SIGVTALRM, &before, nullptr), 0);
}

TEST(ThreadTimer, NoneForAThreadThatHasEnded) {
  pid_t ended = 0;
  std::thread([&] { ended = gettid(); }).join();
  EXPECT_EQ(StartThreadTimer(ended, CLOCK_MONOTONIC, SIGVTALRM, 1'000'000), std::nullopt);
}

}  // namespace
}  // namespace quire
