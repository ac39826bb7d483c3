// Finds out whether an open would wait for itself.
#ifndef QUIRE_SERVER_KEYSEQ_LOCK_CYCLE_H_
#define QUIRE_SERVER_KEYSEQ_LOCK_CYCLE_H_

#include <cstdint>
#include <vector>

#include "server/keyseq/lock_state.h"

namespace quire {

// The shortest way from `owner` back to itself along "waits for"; empty: there is none. An open
// waits for the holders of what stands in its way and for those whose turn comes before; where
// these wait for each other in a row, for the nearest only.
std::vector<CycleStep> FindCycle(const LockState& state, uint64_t owner);

}  // namespace quire

#endif  // QUIRE_SERVER_KEYSEQ_LOCK_CYCLE_H_
