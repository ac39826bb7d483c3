// ALLOW: how many errors and warnings a script may have before FUP stops reading it.
#ifndef QUIRE_CLIENT_FUP_ALLOWANCE_H_
#define QUIRE_CLIENT_FUP_ALLOWANCE_H_

#include <cstdint>
#include <limits>

namespace quire {

struct Allowance {
  static constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();

  uint64_t errors = 0;
  uint64_t warnings = kAll;
  uint64_t severe_errors = 0;  // no volume or router can be reached
};

struct TroubleCount {
  uint64_t errors = 0;  // severe ones included
  uint64_t warnings = 0;
  uint64_t severe_errors = 0;
};

// True when what came since `before` is more than allowed.
inline bool Exceeds(const TroubleCount& now, const TroubleCount& before, const Allowance& allowed) {
  return now.errors - before.errors > allowed.errors ||
         now.warnings - before.warnings > allowed.warnings ||
         now.severe_errors - before.severe_errors > allowed.severe_errors;
}

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_ALLOWANCE_H_
