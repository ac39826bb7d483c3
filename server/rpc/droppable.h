// Owns an object that some threads use while another may drop it at any time: the object goes away
// when it is dropped and nobody is inside it.
#ifndef QUIRE_SERVER_RPC_DROPPABLE_H_
#define QUIRE_SERVER_RPC_DROPPABLE_H_

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/mutex.h"

namespace quire {

// Thread safe. The object's destructor runs without the mutex held, so it may call back.
template <typename T>
class Droppable {
 public:
  // Once. After a Drop the object is destroyed at once.
  void Set(std::unique_ptr<T> object) {
    MutexLock lock(&mutex_);
    if (!dropped_) object_.swap(object);
  }

  // Calls use(T&); false, and no call, when there is no object (any more).
  template <typename F>
  bool Use(F use) {
    {
      MutexLock lock(&mutex_);
      if (dropped_ || object_ == nullptr) return false;
      ++users_;
    }
    use(*object_);
    std::unique_ptr<T> doomed;  // destroyed after the lock is released
    MutexLock lock(&mutex_);
    if (--users_ == 0 && dropped_) doomed = std::move(object_);
    return true;
  }

  void Drop() {
    std::unique_ptr<T> doomed;
    MutexLock lock(&mutex_);
    dropped_ = true;
    if (users_ == 0) doomed = std::move(object_);
  }

 private:
  Mutex mutex_;
  std::unique_ptr<T> object_;  // changed under mutex_ and, while users_ > 0, not at all
  int users_ ABSL_GUARDED_BY(mutex_) = 0;
  bool dropped_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_DROPPABLE_H_
