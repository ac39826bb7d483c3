#include "client/bench/page/spread.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "client/bench/number_text.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr int kDigits = 3;  // significant ones of a small figure

double MiddleOf(const std::vector<double>& sorted) {
  const size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

}  // namespace

Spread SpreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {.median = MiddleOf(values),
          .low = values.front(),
          .high = values.back(),
          .rounds = values.size()};
}

Spread RatioSpread(const std::vector<double>& values, const std::vector<double>& references) {
  std::vector<double> ratios;
  ratios.reserve(values.size());
  for (size_t i = 0; i < values.size(); ++i) ratios.push_back(values[i] / references[i]);
  return SpreadOf(std::move(ratios));
}

std::string FigureText(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  if (size == 0) return "0";
  if (size >= 100) return CountText(std::llround(value));
  const int whole_digits = static_cast<int>(std::floor(std::log10(size))) + 1;
  return absl::StrFormat("%.*f", std::min(kDigits - whole_digits, 6), value);
}

std::string SpreadText(const Spread& spread) {
  if (spread.rounds <= 1) return FigureText(spread.median);
  return StrCat(FigureText(spread.median), " (", FigureText(spread.low), " – ",
                FigureText(spread.high), ")");
}

}  // namespace bench
}  // namespace quire
