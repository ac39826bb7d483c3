// How a tree asks for room.
#ifndef QUIRE_SERVER_BTREE_GROWTH_GATE_H_
#define QUIRE_SERVER_BTREE_GROWTH_GATE_H_

#include <cstdint>
#include <functional>

#include "absl/status/status.h"

namespace quire {

// Says whether the partition may grow to so many blocks: 45 extents used up, 43 no room. Asked once
// per operation that grows, last of all: when it agrees, the growth happens.
using GrowthGate = std::function<absl::Status(uint64_t eof_blocks)>;

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_GROWTH_GATE_H_
