#include "client/measure/value_text.h"

#include <string_view>

#include "absl/strings/str_format.h"
#include "absl/time/civil_time.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

constexpr std::string_view kCountUnits[] = {"#", "K", "M", "G", "T"};
constexpr std::string_view kRateUnits[] = {"/s", "K/s", "M/s", "G/s", "T/s"};
constexpr double kMicrosPerSecond = 1e6;

// A unit is used from where the next smaller one would be rounded up to a whole of it.
struct TimeUnit {
  std::string_view name;
  int64_t micros;
  int64_t least_micros;
};
constexpr TimeUnit kTimeUnits[] = {
    {"wk", 604800000000, 604800000000 - 432000000},
    {"day", 86400000000, 86400000000 - 18000000},
    {"hr", 3600000000, 3600000000 - 5000},
    {"sec", 1000000, 1000000 - 5},
    {"ms", 1000, 10},
};

// Puts commas between the thousands of a number's whole part.
std::string WithCommas(std::string text) {
  const size_t first = text.starts_with('-') ? 1 : 0;
  size_t at = text.find('.');
  if (at == std::string::npos) at = text.size();
  while (at > first + 3) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string TwoDecimals(double value) {
  return WithCommas(absl::StrFormat("%.2f", value));
}

// The first unit of `units`, each a thousand of the one before, in which the value fits.
template <size_t kUnits>
PrintedValue Scaled(double value, const std::string_view (&units)[kUnits], size_t first) {
  for (size_t i = 0; i < first; ++i) value /= 1000;
  for (size_t i = first; i < kUnits; ++i, value /= 1000) {
    std::string text = TwoDecimals(value);
    if (text.size() <= kValueWidth) return {std::move(text), std::string(units[i])};
  }
  return {WithCommas(absl::StrFormat("%.0f", value * 1000)), std::string(units[kUnits - 1])};
}

}  // namespace

PrintedValue CountText(int64_t count) {
  std::string text = WithCommas(StrCat(count));
  if (text.size() <= kValueWidth) return {std::move(text), std::string(kCountUnits[0])};
  return Scaled(static_cast<double>(count), kCountUnits, 1);
}

PrintedValue TimeText(int64_t micros) {
  const int64_t size = micros < 0 ? -(micros + 1) : micros;
  for (const TimeUnit& unit : kTimeUnits) {
    if (size < unit.least_micros) continue;
    const double value = static_cast<double>(micros) / static_cast<double>(unit.micros);
    return {TwoDecimals(value), std::string(unit.name)};
  }
  return {StrCat(micros), "us"};
}

PrintedValue RateText(int64_t count, int64_t window_us) {
  const double seconds = static_cast<double>(window_us) / kMicrosPerSecond;
  return Scaled(static_cast<double>(count) / seconds, kRateUnits, 0);
}

PrintedValue PercentText(int64_t busy_us, int64_t window_us) {
  return {TwoDecimals(100 * static_cast<double>(busy_us) / static_cast<double>(window_us)), "%"};
}

PrintedValue CounterText(const CounterValue& counter, const EntityRecord& record, bool rate,
                         int64_t window_us) {
  const bool is_time = counter.unit == "us";
  const bool is_level = counter.kind == CounterKind::kMax || counter.kind == CounterKind::kSnapshot;
  if (!rate || is_level) return is_time ? TimeText(counter.value) : CountText(counter.value);
  if (counter.name == "LOCKWAIT-TIME") {
    const int64_t blocked = record.Value("REQUESTS-BLOCKED");
    return TimeText(blocked > 0 ? counter.value / blocked : counter.value);
  }
  return is_time ? PercentText(counter.value, window_us) : RateText(counter.value, window_us);
}

std::string DurationText(int64_t micros) {
  constexpr int64_t kSecond = 1000000;
  constexpr int64_t kMinute = 60 * kSecond;
  constexpr int64_t kHour = 60 * kMinute;
  // A tenth's half below the limit already prints as the limit.
  const bool hours = micros >= kHour - kMinute / 20;
  const bool minutes = !hours && micros >= kMinute - kSecond / 20;
  const int64_t unit = hours ? kHour : minutes ? kMinute : kSecond;
  const double value = static_cast<double>(micros) / static_cast<double>(unit);
  return StrCat(absl::StrFormat("%.1f", value),
                hours ? " Hours" : (minutes ? " Minutes" : " Seconds"));
}

std::string MomentText(int64_t unix_us, const absl::TimeZone& zone) {
  const absl::Time time = absl::FromUnixMicros(unix_us);
  const absl::CivilSecond at = zone.At(time).cs;
  return absl::StrFormat("%d %s %d, %d:%02d:%02d", at.day(), absl::FormatTime("%b", time, zone),
                         at.year(), at.hour(), at.minute(), at.second());
}

}  // namespace measure
}  // namespace quire
