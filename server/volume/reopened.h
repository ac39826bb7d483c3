// What an open finds that comes back after its volume was started again (R-D9, R-D10). Disc process
// role only.
#ifndef QUIRE_SERVER_VOLUME_REOPENED_H_
#define QUIRE_SERVER_VOLUME_REOPENED_H_

#include "absl/status/status.h"
#include "quire/position.h"
#include "server/volume/open_table.h"
#include "server/volume/volume_state.h"

namespace quire {

// The two ways to go on; `mark` is what the client knows of the open's life so far. They return
// Opened::answers_kept.

// The open is still there.
bool GoOnAsBefore(const VolumeState& state, OpenEntry& open, const PartitionMark& mark);
// Gives the open, made anew, what its earlier life left: its saved answers, and the 122 due to it.
// Answers are not kept for BUFFERED files: repeated, mutations would come behind acknowledged ones
// that are lost.
bool GoOnAfterRestart(VolumeState& state, OpenEntry& open, const PartitionMark& mark);

// The saved answers of a client's single calls, at its first one.
void AdoptAnswers(VolumeState& state, OpenEntry& open);

// 122, when acknowledged changes of the open with this mark are lost; else OK.
absl::Status CheckNothingLost(const VolumeState& state, const PartitionMark& mark);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_REOPENED_H_
