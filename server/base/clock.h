// Time as the server sees it; replaced by a hand-moved clock in tests.
#ifndef QUIRE_SERVER_BASE_CLOCK_H_
#define QUIRE_SERVER_BASE_CLOCK_H_

#include <cstdint>

namespace quire {

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t WallMicros() const = 0;       // Unix time
  virtual int64_t MonotonicMicros() const = 0;  // never goes back

  static Clock* Real();  // lives for ever
};

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_CLOCK_H_
