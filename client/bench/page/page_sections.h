// What the text, the HTML and the JSON of a page share.
#ifndef QUIRE_CLIENT_BENCH_PAGE_PAGE_SECTIONS_H_
#define QUIRE_CLIENT_BENCH_PAGE_PAGE_SECTIONS_H_

#include <string>

#include "client/bench/page/result_page.h"

namespace quire {
namespace bench {

Table GoalsTable(const ResultPage& page);  // result_page.cc

// page_sections.cc
std::string BarsTitle(const PageBars& bars);  // with unit, and "less is better"
// One row per x, one column per curve.
Table CurvesTable(const PageCurves& curves);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PAGE_PAGE_SECTIONS_H_
