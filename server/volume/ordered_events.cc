#include "server/volume/ordered_events.h"

#include <utility>

namespace quire {

uint64_t OrderedEvents::Reserve() {
  MutexLock lock(&mutex_);
  events_.emplace_back();
  return first_ + events_.size() - 1;
}

void OrderedEvents::Complete(uint64_t place, Event event) {
  {
    MutexLock lock(&mutex_);
    events_[place - first_] = std::move(event);
    if (delivering_) return;
    delivering_ = true;
  }
  for (;;) {
    std::optional<Event> next;
    {
      MutexLock lock(&mutex_);
      if (events_.empty() || !events_.front().has_value()) {
        delivering_ = false;
        return;
      }
      next = std::move(events_.front());
      events_.pop_front();
      ++first_;
    }
    std::move (*next)();
  }
}

uint64_t OrderedEvents::outstanding() const {
  MutexLock lock(&mutex_);
  return events_.size();
}

}  // namespace quire
