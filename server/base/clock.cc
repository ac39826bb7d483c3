#include "server/base/clock.h"

#include <chrono>

namespace quire {
namespace {

class RealClock : public Clock {
 public:
  int64_t WallMicros() const override { return Micros(std::chrono::system_clock::now()); }
  int64_t MonotonicMicros() const override { return Micros(std::chrono::steady_clock::now()); }

 private:
  template <typename TimePoint>
  static int64_t Micros(TimePoint point) {
    return std::chrono::duration_cast<std::chrono::microseconds>(point.time_since_epoch()).count();
  }
};

}  // namespace

Clock* Clock::Real() {
  static RealClock clock;
  return &clock;
}

}  // namespace quire
