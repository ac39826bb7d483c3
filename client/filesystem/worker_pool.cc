#include "client/filesystem/worker_pool.h"

#include <utility>

namespace quire {

bool WorkerPool::Post(Task& task) {
  MutexLock lock(&mutex_);
  if (stopping_) return false;
  tasks_.push_back(std::move(task));
  posted_.Signal();
  if (idle_ < tasks_.size() && threads_.size() < max_threads_) {
    threads_.emplace_back([this] { Work(); });
  }
  return true;
}

void WorkerPool::Stop() {
  std::vector<std::thread> threads;
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
    threads.swap(threads_);
    posted_.SignalAll();
  }
  for (std::thread& thread : threads) thread.join();
}

void WorkerPool::Work() {
  while (true) {
    Task task;
    {
      MutexLock lock(&mutex_);
      ++idle_;
      while (!stopping_ && tasks_.empty()) posted_.Wait(&mutex_);
      --idle_;
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    std::move(task)();
  }
}

}  // namespace quire
