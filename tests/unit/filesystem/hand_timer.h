// Time that tests move by hand.
#ifndef QUIRE_TESTS_UNIT_FILESYSTEM_HAND_TIMER_H_
#define QUIRE_TESTS_UNIT_FILESYSTEM_HAND_TIMER_H_

#include <cstdint>
#include <map>
#include <utility>

#include "client/filesystem/timer.h"
#include "quire/mutex.h"

namespace quire::testing {

class HandTimer : public Timer {
 public:
  int64_t NowMicros() const override {
    MutexLock lock(&mutex_);
    return now_;
  }
  void After(int64_t micros, Task task) override {
    MutexLock lock(&mutex_);
    tasks_.emplace(now_ + micros, std::move(task));
  }

  // Moves the time on and runs what becomes due, in order, each at its time.
  void Advance(int64_t micros) {
    const int64_t end = NowMicros() + micros;
    while (true) {
      Task task;
      {
        MutexLock lock(&mutex_);
        if (tasks_.empty() || tasks_.begin()->first > end) {
          now_ = end;
          return;
        }
        now_ = tasks_.begin()->first;
        task = std::move(tasks_.begin()->second);
        tasks_.erase(tasks_.begin());
      }
      std::move(task)();
    }
  }

 private:
  mutable Mutex mutex_;
  int64_t now_ ABSL_GUARDED_BY(mutex_) = 1'000'000'000;
  std::multimap<int64_t, Task> tasks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace quire::testing

#endif  // QUIRE_TESTS_UNIT_FILESYSTEM_HAND_TIMER_H_
