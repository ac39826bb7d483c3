// A timer of the kernel that sends a signal to one thread, again and again.
#ifndef QUIRE_SERVER_BASE_THREAD_TIMER_H_
#define QUIRE_SERVER_BASE_THREAD_TIMER_H_

#include <sys/types.h>
#include <time.h>

#include <cstdint>
#include <optional>

namespace quire {

// Every `period_nanos` (1 or more) of `clock`, `signal` goes to `thread` of this process (its
// number with the kernel). The caller ends it with timer_delete; the end of the thread does not.
// nullopt when there is no such thread or the system has no more timers. Any thread.
std::optional<timer_t> StartThreadTimer(pid_t thread, clockid_t clock, int signal,
                                        int64_t period_nanos);

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_THREAD_TIMER_H_
