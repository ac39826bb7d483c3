// Numbers as MEASURE reports print them: at most ten characters and a unit.
#ifndef QUIRE_CLIENT_MEASURE_VALUE_TEXT_H_
#define QUIRE_CLIENT_MEASURE_VALUE_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"
#include "quire/measure.h"

namespace quire {
namespace measure {

inline constexpr size_t kValueWidth = 10;

struct PrintedValue {
  std::string value;
  std::string unit;

  bool operator==(const PrintedValue&) const = default;
};

// 338323 -> "338,323" "#"; more than fits is scaled by thousands: 278822912 -> "278,822.91" "K".
PrintedValue CountText(int64_t count);
// 5120000 -> "5.12" "sec"; units us (under 0.01 ms), ms, sec, hr, day, wk.
PrintedValue TimeText(int64_t micros);
// `window_us` above 0. 135070 in 60 s -> "2,251.17" "/s"; scaled to K/s, M/s, G/s, T/s.
PrintedValue RateText(int64_t count, int64_t window_us);
// `window_us` above 0. Busy time as share of the window: "87.48" "%".
PrintedValue PercentText(int64_t busy_us, int64_t window_us);

// A counter of `record`: as it is, or with `rate` per second, in percent, or (waiting for locks)
// on average, as its kind wants it. `window_us` counts with `rate` only and is above 0 then.
PrintedValue CounterText(const CounterValue& counter, const EntityRecord& record, bool rate,
                         int64_t window_us);

// Length of a window: "32.5 Minutes", Seconds under a minute, Hours from an hour on.
std::string DurationText(int64_t micros);
// "17 Dec 2019, 7:37:29".
std::string MomentText(int64_t unix_us, const absl::TimeZone& zone);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_VALUE_TEXT_H_
