// Snapshots of a volume's counters, taken between two requests. Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_SNAPSHOT_H_
#define QUIRE_SERVER_VOLUME_SNAPSHOT_H_

#include "quire/measure.h"
#include "server/volume/volume_state.h"

namespace quire {

// DISC, PROCESS, one DISKFILE per file, one DISCOPEN per open and per closed open kept (R-C4).
VolumeSnapshot TakeSnapshot(VolumeState& state);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_SNAPSHOT_H_
