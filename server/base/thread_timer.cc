#include "server/base/thread_timer.h"

#include <signal.h>

namespace quire {

std::optional<timer_t> StartThreadTimer(pid_t thread, clockid_t clock, int signal,
                                        int64_t period_nanos) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = signal;
  event._sigev_un._tid = thread;  // glibc 2.36 has no name for it
  timer_t timer = nullptr;
  if (timer_create(clock, &event, &timer) != 0) return std::nullopt;
  const timespec period = {.tv_sec = period_nanos / kNanosPerSecond,
                           .tv_nsec = period_nanos % kNanosPerSecond};
  const itimerspec every = {.it_interval = period, .it_value = period};
  if (timer_settime(timer, 0, &every, nullptr) == 0) return timer;
  timer_delete(timer);
  return std::nullopt;
}

}  // namespace quire
