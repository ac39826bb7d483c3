// Threads for work that waits for volumes: the steps of CREATE, PURGE and other calls over several
// volumes. Threads start at need.
#ifndef QUIRE_CLIENT_FILESYSTEM_WORKER_POOL_H_
#define QUIRE_CLIENT_FILESYSTEM_WORKER_POOL_H_

#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "quire/mutex.h"

namespace quire {

class WorkerPool {
 public:
  using Task = absl::AnyInvocable<void() &&>;

  explicit WorkerPool(uint32_t max_threads) : max_threads_(max_threads) {}
  ~WorkerPool() { Stop(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs the task on a thread of the pool; any thread. False, and the task is left as it is, after
  // Stop.
  [[nodiscard]] bool Post(Task& task);

  // Runs what was posted to its end and joins the threads. Not from a task.
  void Stop();

 private:
  void Work();

  const uint32_t max_threads_;
  Mutex mutex_;
  CondVar posted_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
  uint32_t idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_WORKER_POOL_H_
