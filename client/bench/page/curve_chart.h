// Curves over one x axis as inline SVG: medians joined by lines, with the range of the rounds as a
// stroke. The y axis starts at 0, so that a flat curve looks flat.
#ifndef QUIRE_CLIENT_BENCH_PAGE_CURVE_CHART_H_
#define QUIRE_CLIENT_BENCH_PAGE_CURVE_CHART_H_

#include <string>

#include "client/bench/page/result_page.h"

namespace quire {
namespace bench {

// A <figure> with caption, legend and SVG. Colours repeat after kCurveColours curves.
inline constexpr size_t kCurveColours = 4;
std::string RenderCurves(const PageCurves& curves);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PAGE_CURVE_CHART_H_
