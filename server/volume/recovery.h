// Bringing a volume up: labels and meta from the store, replay of the trail, a control point that
// raises the epoch (R-D1, D2, D3, D12). Runs before the threads start, on the opening thread.
#ifndef QUIRE_SERVER_VOLUME_RECOVERY_H_
#define QUIRE_SERVER_VOLUME_RECOVERY_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/store/block_store.h"
#include "server/volume/recovery_report.h"
#include "server/volume/volume_identity.h"
#include "server/volume/volume_state.h"

namespace quire {

// Fills catalog, epoch and sequences of a state whose store, trail and cache are open; afterwards
// the trail is started and everything replayed is in the store. Running it again changes nothing
// but the epoch.
absl::StatusOr<RecoveryReport> Recover(VolumeState& state);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_RECOVERY_H_
