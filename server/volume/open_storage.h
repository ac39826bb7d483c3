// Locks, store and trail of a volume, opened together: the trail must be the store's own.
#ifndef QUIRE_SERVER_VOLUME_OPEN_STORAGE_H_
#define QUIRE_SERVER_VOLUME_OPEN_STORAGE_H_

#include "absl/status/status.h"
#include "server/volume/volume_state.h"

namespace quire {

// Fills lock, store, trail and volume id by the state's options. Errors as Volume::Open; 59 also
// when the store has records and the trail's directory is missing.
absl::Status OpenStoreAndTrail(VolumeState& state);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_OPEN_STORAGE_H_
