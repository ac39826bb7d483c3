// A mutex, its lock and its condition, annotated for clang's thread-safety analysis.
//
// Standard ones underneath: the thread sanitizer sees their locking, which it cannot in the
// packaged Abseil, and every use of absl::Mutex would be reported as a race. Each mutex says at its
// declaration what it guards (ABSL_GUARDED_BY) and, where one is held while another is taken, in
// which order.
#ifndef QUIRE_MUTEX_H_
#define QUIRE_MUTEX_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "absl/base/thread_annotations.h"

namespace quire {

class ABSL_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

// Holds a mutex for a scope.
class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex* mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_->Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_->Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex* const mutex_;
};

// Waits may end without a signal: call them in a loop that tests the condition.
class CondVar {
 public:
  void Wait(Mutex* mutex) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();  // the caller still holds it
  }
  // False when the time is over.
  bool WaitForMicros(Mutex* mutex, int64_t micros) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) {
    std::unique_lock<std::mutex> lock(mutex->mutex_, std::adopt_lock);
    const bool signalled =
        condition_.wait_for(lock, std::chrono::microseconds(micros)) == std::cv_status::no_timeout;
    lock.release();
    return signalled;
  }
  void Signal() { condition_.notify_one(); }
  void SignalAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

// An event that happens once. Notify and the end of a wait are ordered as a lock is.
class Notification {
 public:
  void Notify() {
    MutexLock lock(&mutex_);
    notified_ = true;
    changed_.SignalAll();
  }
  void Wait() {
    MutexLock lock(&mutex_);
    while (!notified_) changed_.Wait(&mutex_);
  }
  // False when the time is over and it has not happened.
  bool WaitForMicros(int64_t micros) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(micros);
    MutexLock lock(&mutex_);
    while (!notified_) {
      const auto left = std::chrono::duration_cast<std::chrono::microseconds>(
          end - std::chrono::steady_clock::now());
      if (left.count() <= 0) return false;
      changed_.WaitForMicros(&mutex_, left.count());
    }
    return true;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  bool notified_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace quire

#endif  // QUIRE_MUTEX_H_
