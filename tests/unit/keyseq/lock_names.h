// Files and opens as the tests of the lock table call them.
#ifndef QUIRE_TESTS_UNIT_KEYSEQ_LOCK_NAMES_H_
#define QUIRE_TESTS_UNIT_KEYSEQ_LOCK_NAMES_H_

#include <cstdint>
#include <vector>

#include "server/keyseq/lock_table.h"

namespace quire {

inline constexpr FileId kStock = 7;
inline constexpr FileId kOrders = 8;
// Opens.
inline constexpr uint64_t kAnna = 1;
inline constexpr uint64_t kBen = 2;
inline constexpr uint64_t kCleo = 3;
inline constexpr uint64_t kDora = 4;

inline constexpr LockAnswer kGranted = LockAnswer::kGranted;
inline constexpr LockAnswer kLocked = LockAnswer::kLocked;
inline constexpr LockAnswer kWaits = LockAnswer::kWaits;
inline constexpr LockAnswer kCycle = LockAnswer::kCycle;

using Waiters = std::vector<WaiterId>;

}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_KEYSEQ_LOCK_NAMES_H_
