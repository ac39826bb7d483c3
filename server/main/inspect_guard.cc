#include "server/main/inspect_guard.h"

#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "server/base/check.h"

namespace quire {
namespace {

// Where the guarded call under way on this thread began.
thread_local sigjmp_buf* under_way = nullptr;

void OnFault(int signal) {
  if (under_way != nullptr) siglongjmp(*under_way, 1);
  // The instruction is run again and ends the program, with a core as usual.
  std::signal(signal, SIG_DFL);
}

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
    struct sigevent event = {};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGVTALRM;
    event._sigev_un._tid = gettid();
    QUIRE_CHECK(timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer_) == 0);
    constexpr timespec kTick = {.tv_sec = 0, .tv_nsec = 100000000};
    const itimerspec every = {.it_interval = kTick, .it_value = kTick};
    QUIRE_CHECK(timer_settime(timer_, 0, &every, nullptr) == 0);
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
