// The median of some rounds with the lowest and the highest, as every benchmark reports it.
#ifndef QUIRE_CLIENT_BENCH_PAGE_SPREAD_H_
#define QUIRE_CLIENT_BENCH_PAGE_SPREAD_H_

#include <cstddef>
#include <string>
#include <vector>

namespace quire {
namespace bench {

struct Spread {
  double median = 0;  // of an even number: the mean of the middle two
  double low = 0;
  double high = 0;
  size_t rounds = 0;
};

// `values` not empty.
Spread SpreadOf(std::vector<double> values);
// Round by round value over reference: what two things measured in turn in the same rounds are to
// each other, whatever the machine did meanwhile. As many of each, not none; references not 0.
Spread RatioSpread(const std::vector<double>& values, const std::vector<double>& references);

// "1,234", "12.3", "0.812": three significant digits or whole numbers, thousands marked.
std::string FigureText(double value);
// "1,234 (1,100 – 1,310)"; one round: "1,234".
std::string SpreadText(const Spread& spread);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PAGE_SPREAD_H_
