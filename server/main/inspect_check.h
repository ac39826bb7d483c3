// The offline check of a volume: everything in store and trail that can be wrong.
#ifndef QUIRE_SERVER_MAIN_INSPECT_CHECK_H_
#define QUIRE_SERVER_MAIN_INSPECT_CHECK_H_

#include <cstdint>
#include <ostream>

#include "server/main/inspect_store.h"
#include "server/trail/trail_device.h"

namespace quire {

// Verifies meta values, labels, the checksum of every block and every tree, as of the control point
// the store holds, and whether the trail goes on from there without a hole. Says what it looked at,
// and one line per fault. The number of faults.
uint64_t CheckVolume(InspectedStore& store, TrailDevice& trail, std::ostream& out);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_CHECK_H_
