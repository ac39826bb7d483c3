// How opens of a volume end: closed, left by their stream, out of lease. Disc process role only.
#ifndef QUIRE_SERVER_VOLUME_OPEN_LIFETIME_H_
#define QUIRE_SERVER_VOLUME_OPEN_LIFETIME_H_

#include "server/volume/disc_process.h"
#include "server/volume/volume_state.h"

namespace quire {

// Closes the open; its locks go.
void EndOpen(VolumeState& state, OpenEntry* open);
// The stream that held it is gone: waits for no lock any more; the lease begins (R-S1).
void DetachOpen(VolumeState& state, DiscProcess& process, OpenEntry* open);
// Ends the opens whose lease is over; those of earlier epochs have theirs from the start on.
void EndLeases(VolumeState& state);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_OPEN_LIFETIME_H_
