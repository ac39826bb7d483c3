#include "client/bench/number_text.h"

#include <cmath>

#include "absl/strings/str_format.h"
#include "client/bench/report_text.h"
#include "quire/text.h"

namespace quire {
namespace bench {

std::string CountText(int64_t count) {
  if (count >= 0) return WithThousands(static_cast<uint64_t>(count));
  return "-" + WithThousands(uint64_t{0} - static_cast<uint64_t>(count));
}

std::string RoundsText(uint32_t rounds) {
  return StrCat(rounds, rounds == 1 ? " round" : " rounds");
}

std::string SecondsText(double seconds) {
  return absl::StrFormat("%.2f", seconds);
}

std::string MebibytesText(uint64_t bytes) {
  constexpr uint64_t kMebibyte = 1 << 20;
  return StrCat(WithThousands((bytes + kMebibyte / 2) / kMebibyte), " MiB");
}

std::string DifferenceText(double measured, double reference) {
  if (reference == 0) return "-";
  const double percent = (measured / reference - 1) * 100;
  if (percent == 0) return "0 %";
  if (std::abs(percent) < 0.01) return absl::StrFormat("%+.3f %%", percent);
  if (std::abs(percent) >= 1000) return absl::StrFormat("%+.0f %%", percent);
  const int digits = std::abs(percent) >= 10 ? 1 : 2;
  return absl::StrFormat("%+.*f %%", digits, percent);
}

}  // namespace bench
}  // namespace quire
