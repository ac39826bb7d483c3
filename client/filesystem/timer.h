// Tasks for later: the waits between attempts to reach a volume again, and their ends. Injected, so
// that tests move the time by hand.
#ifndef QUIRE_CLIENT_FILESYSTEM_TIMER_H_
#define QUIRE_CLIENT_FILESYSTEM_TIMER_H_

#include <cstdint>
#include <memory>

#include "absl/functional/any_invocable.h"

namespace quire {

class Timer {
 public:
  using Task = absl::AnyInvocable<void() &&>;

  virtual ~Timer() = default;
  virtual int64_t NowMicros() const = 0;  // never goes back; the origin means nothing
  // Runs the task once, in `micros` or soon after, never inside this call. Tasks must not block.
  // Any thread. What is left when the timer is destroyed is dropped.
  virtual void After(int64_t micros, Task task) = 0;
};

// One thread, started at the first After. May be destroyed by one of its own tasks.
std::shared_ptr<Timer> MakeThreadTimer();

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_TIMER_H_
