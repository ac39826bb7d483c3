// The results of quire-bench lookaside as a page, with its goals.
#ifndef QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_PAGE_H_
#define QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_PAGE_H_

#include <cstdint>
#include <vector>

#include "client/bench/lookaside/lookaside_run.h"
#include "client/bench/page/result_page.h"

namespace quire {
namespace bench {

// Goals of the ways' ratios in the same rounds: keeping data blocks by measuring takes at most
// kMostSlower of the time of keeping none; FREEZE makes at most kMostIndexReads of the physical
// index reads of NOFREEZE.
inline constexpr double kMostSlower = 1.02;
inline constexpr double kMostIndexReads = 0.5;

ResultPage LookasidePage(const std::vector<CaseResult>& results, uint32_t rounds);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_PAGE_H_
