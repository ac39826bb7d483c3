// What the comparison with other stores must show, as far as its rows were measured.
#ifndef QUIRE_CLIENT_BENCH_PEERS_PEER_GOALS_H_
#define QUIRE_CLIENT_BENCH_PEERS_PEER_GOALS_H_

#include <cstdint>
#include <vector>

#include "client/bench/page/result_page.h"
#include "client/bench/peers/results.h"

namespace quire {
namespace bench {

// `records`: how many were loaded. Goals whose rows are missing are there as not measured.
std::vector<PageGoal> PeerGoals(const Results& results, uint64_t records);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_PEER_GOALS_H_
