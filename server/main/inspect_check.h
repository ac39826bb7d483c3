// The offline check of a volume: everything in store and trail that can be wrong.
#ifndef QUIRE_SERVER_MAIN_INSPECT_CHECK_H_
#define QUIRE_SERVER_MAIN_INSPECT_CHECK_H_

#include <cstdint>
#include <ostream>

#include "server/main/inspect_store.h"
#include "server/trail/trail_device.h"

namespace quire {

// Verifies meta values, labels, the checksum of every block and every file (file_check.h), as of
// the control point the store holds, and whether the trail goes on from there without a hole. A
// line a file: whole, or FAULT with the first bad thing; goes on behind every fault. The number of
// FAULT lines.
uint64_t CheckVolume(InspectedStore& store, TrailDevice& trail, std::ostream& out);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_INSPECT_CHECK_H_
