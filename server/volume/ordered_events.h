// Delivers what happens to one stream in the order it was asked for, one call at a time, whatever
// thread and order the answers come in. Thread safe; calls run without the lock.
#ifndef QUIRE_SERVER_VOLUME_ORDERED_EVENTS_H_
#define QUIRE_SERVER_VOLUME_ORDERED_EVENTS_H_

#include <cstdint>
#include <deque>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "quire/mutex.h"

namespace quire {

class OrderedEvents {
 public:
  using Event = absl::AnyInvocable<void() &&>;

  // A place in the order; its event comes later.
  uint64_t Reserve();
  // Gives the event of a place, and delivers all that are due.
  void Complete(uint64_t place, Event event);
  // Places without an event yet.
  uint64_t outstanding() const;

 private:
  mutable Mutex mutex_;
  std::deque<std::optional<Event>> events_ ABSL_GUARDED_BY(mutex_);
  uint64_t first_ ABSL_GUARDED_BY(mutex_) = 0;  // place of events_.front()
  bool delivering_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_ORDERED_EVENTS_H_
