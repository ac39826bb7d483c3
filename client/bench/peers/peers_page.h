// The comparison with other stores as a page: goals, bars for each work, ratios, settings.
#ifndef QUIRE_CLIENT_BENCH_PEERS_PEERS_PAGE_H_
#define QUIRE_CLIENT_BENCH_PEERS_PEERS_PAGE_H_

#include <string>
#include <vector>

#include "client/bench/page/result_page.h"
#include "client/bench/peers/results.h"
#include "client/bench/peers/rounds.h"

namespace quire {
namespace bench {

// `remarks`: what is missing or failed, a line each.
ResultPage PeersPage(const RoundsPlan& plan, const Results& results,
                     const std::vector<std::string>& remarks);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_PEERS_PAGE_H_
