// How long a call waits for locks when its caller does not say (R-S4).
#ifndef QUIRE_SERVER_RPC_LOCK_TIMEOUT_H_
#define QUIRE_SERVER_RPC_LOCK_TIMEOUT_H_

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "quire/limits.h"

namespace quire {

// `asked` unless it is 0. Else until shortly before the deadline, so that the caller sees 40 and
// not a call that ran out of time: at least 1 ms, at most kLockTimeoutMs.
inline uint32_t LockTimeoutMs(uint32_t asked, std::chrono::system_clock::time_point deadline,
                              std::chrono::system_clock::time_point now) {
  using std::chrono::milliseconds;
  constexpr milliseconds kLongest(kLockTimeoutMs);
  constexpr milliseconds kBeforeDeadline(100);
  if (asked != 0) return asked;
  // Compared first: without a deadline it is the clock's last moment, which a difference overflows.
  if (deadline > now + 2 * kLongest) return kLockTimeoutMs;
  if (deadline <= now) return 1;
  // On the wire the time left was rounded up to three digits, by 1 % at most.
  const auto left = std::chrono::duration_cast<milliseconds>(deadline - now);
  const milliseconds wait = left - left / 100 - kBeforeDeadline;
  return static_cast<uint32_t>(std::clamp(wait, milliseconds(1), kLongest).count());
}

}  // namespace quire

#endif  // QUIRE_SERVER_RPC_LOCK_TIMEOUT_H_
