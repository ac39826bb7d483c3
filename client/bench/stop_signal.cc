#include "client/bench/stop_signal.h"

#include <signal.h>

#include <atomic>

namespace quire {
namespace bench {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // the handler may touch it

void OnStopSignal(int) {
  stop_requested.store(true, std::memory_order_relaxed);
}

}  // namespace

void WatchStopSignals() {
  struct sigaction action = {};
  action.sa_handler = OnStopSignal;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

bool StopRequested() {
  return stop_requested.load(std::memory_order_relaxed);
}

}  // namespace bench
}  // namespace quire
