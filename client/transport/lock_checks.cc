#include "client/transport/lock_checks.h"

#include "absl/synchronization/mutex.h"

namespace quire {

void DropLockChecks() {
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
}

}  // namespace quire
