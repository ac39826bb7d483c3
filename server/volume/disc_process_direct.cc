// Work on an idle volume that needs no request: nothing is queued, kept or answered later.
#include <new>

#include "server/base/activity.h"
#include "server/volume/disc_process.h"

namespace quire {

bool DiscProcess::TryRun(absl::FunctionRef<void(VolumeState&)> work) {
  const ActivityScope activity(Activity::kQueue);
  {
    MutexLock lock(&mutex_);
    if (busy_ || stopping_ || Latched()) return false;
    busy_ = true;
  }
  bool done = true;
  try {
    work(*state_);
  } catch (const std::bad_alloc&) {
    done = false;
  }
  {
    MutexLock lock(&mutex_);
    if (inbox_.empty()) {
      busy_ = false;
      // Nothing else has happened that anybody could wait for.
      if (stopping_) progress_.SignalAll();
      return done;
    }
  }
  RunRole(/*caller_waits=*/false);
  return done;
}

}  // namespace quire
