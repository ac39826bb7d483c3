// The steps of `quire-bench scale` side by side: goals, curves, tables.
#ifndef QUIRE_CLIENT_BENCH_SCALE_SCALE_PAGE_H_
#define QUIRE_CLIENT_BENCH_SCALE_SCALE_PAGE_H_

#include <string>
#include <vector>

#include "client/bench/page/result_page.h"
#include "client/bench/scale/scale_figures.h"

namespace quire {
namespace bench {

// A step's rounds; at least one.
using StepRounds = std::vector<StepFigures>;

// By rising number of records, not empty. The goals compare the last step with the first.
ResultPage ScalePage(const std::vector<StepRounds>& steps, std::string lead);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_SCALE_PAGE_H_
