#include "client/filesystem/timer.h"

#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"

namespace quire {
namespace {

int64_t SteadyMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// What the timer and its thread share: the thread may be the last to leave.
struct Schedule {
  Mutex mutex;
  CondVar changed;
  std::multimap<int64_t, Timer::Task> tasks ABSL_GUARDED_BY(mutex);  // by the time they are due
  bool stopping ABSL_GUARDED_BY(mutex) = false;
};

void RunTasks(const std::shared_ptr<Schedule>& schedule) {
  while (true) {
    Timer::Task task;
    {
      MutexLock lock(&schedule->mutex);
      while (!schedule->stopping) {
        if (schedule->tasks.empty()) {
          schedule->changed.Wait(&schedule->mutex);
          continue;
        }
        const int64_t wait = schedule->tasks.begin()->first - SteadyMicros();
        if (wait <= 0) break;
        schedule->changed.WaitForMicros(&schedule->mutex, wait);
      }
      if (schedule->stopping) return;
      task = std::move(schedule->tasks.begin()->second);
      schedule->tasks.erase(schedule->tasks.begin());
    }
    std::move(task)();
  }
}

class ThreadTimer : public Timer {
 public:
  ~ThreadTimer() override {
    std::multimap<int64_t, Task> dropped;  // destroyed outside of the lock
    {
      MutexLock lock(&schedule_->mutex);
      schedule_->stopping = true;
      dropped.swap(schedule_->tasks);
      schedule_->changed.SignalAll();
    }
    if (!thread_.joinable()) return;
    if (thread_.get_id() == std::this_thread::get_id()) {
      thread_.detach();
    } else {
      thread_.join();
    }
  }

  int64_t NowMicros() const override { return SteadyMicros(); }

  void After(int64_t micros, Task task) override {
    MutexLock lock(&schedule_->mutex);
    schedule_->tasks.emplace(SteadyMicros() + micros, std::move(task));
    schedule_->changed.Signal();
    if (!thread_.joinable()) thread_ = std::thread([schedule = schedule_] { RunTasks(schedule); });
  }

 private:
  const std::shared_ptr<Schedule> schedule_ = std::make_shared<Schedule>();
  std::thread thread_;  // written under schedule_->mutex
};

}  // namespace

std::shared_ptr<Timer> MakeThreadTimer() {
  return std::make_shared<ThreadTimer>();
}

}  // namespace quire
