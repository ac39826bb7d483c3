#include "server/main/inspect_guard.h"

#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <optional>

#include "server/base/check.h"
#include "server/base/thread_timer.h"

namespace quire {
namespace {

// Where the guarded call under way on this thread began.
thread_local sigjmp_buf* under_way = nullptr;

void OnFault(int signal) {
  if (under_way != nullptr) siglongjmp(*under_way, 1);
  // The instruction is run again and ends the program, with a core as usual.
  std::signal(signal, SIG_DFL);
}

constexpr int64_t kTickNanos = 100'000'000;  // of processor time; a call takes microseconds

// Guarded calls begun on this thread, and how many there were at the last tick of its clock.
thread_local volatile uint64_t calls_begun = 0;
thread_local volatile uint64_t calls_at_tick = 0;

// A call that was under way at the tick before as well does not end by itself.
void OnTick(int) {
  const bool same = calls_at_tick == calls_begun;
  calls_at_tick = calls_begun;
  if (same && under_way != nullptr) siglongjmp(*under_way, 1);
}

bool TakeSignals() {
  struct sigaction action = {};
  action.sa_handler = &OnFault;
  sigemptyset(&action.sa_mask);
  struct sigaction tick = action;
  tick.sa_handler = &OnTick;
  tick.sa_flags = SA_RESTART;
  return sigaction(SIGBUS, &action, nullptr) == 0 && sigaction(SIGSEGV, &action, nullptr) == 0 &&
         sigaction(SIGVTALRM, &tick, nullptr) == 0;
}

// Ticks by the processor time of the thread that made it.
class ThreadClock {
 public:
  ThreadClock() {
    const std::optional<timer_t> timer =
        StartThreadTimer(gettid(), CLOCK_THREAD_CPUTIME_ID, SIGVTALRM, kTickNanos);
    QUIRE_CHECK(timer.has_value());
    timer_ = *timer;
  }
  ~ThreadClock() { timer_delete(timer_); }
  ThreadClock(const ThreadClock&) = delete;
  ThreadClock& operator=(const ThreadClock&) = delete;

 private:
  timer_t timer_ = nullptr;
};

}  // namespace

bool Guarded(absl::FunctionRef<void()> read) {
  static const bool taken = TakeSignals();
  QUIRE_CHECK(taken && under_way == nullptr);
  static thread_local const ThreadClock clock;
  calls_begun = calls_begun + 1;
  sigjmp_buf begin;
  if (sigsetjmp(begin, /*savemask=*/1) != 0) {
    under_way = nullptr;
    return false;
  }
  under_way = &begin;
  read();
  under_way = nullptr;
  return true;
}

void LeaveGuard() {
  if (under_way == nullptr) std::abort();
  siglongjmp(*under_way, 1);
}

}  // namespace quire
