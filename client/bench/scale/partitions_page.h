// `quire-bench partitions`: one file in eleven partitions beside one in a single partition, all on
// one disc.
#ifndef QUIRE_CLIENT_BENCH_SCALE_PARTITIONS_PAGE_H_
#define QUIRE_CLIENT_BENCH_SCALE_PARTITIONS_PAGE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "client/bench/page/result_page.h"

namespace quire {
namespace bench {

// One round of all clients together.
struct PartitionsRound {
  uint64_t records = 0;
  double elapsed_s = 0;
  double syncs = 0;         // of the audit trails of all volumes
  double sync_us = 0;       // time of one, mean
  double server_cpu_s = 0;  // of all volume servers
};

// Both files in each round, one after the other; as many rounds of each, not none.
struct PartitionsFigures {
  uint32_t clients = 0;
  uint32_t in_flight = 0;   // requests under way per client
  uint32_t partitions = 0;  // of the partitioned file
  std::vector<PartitionsRound> one;
  std::vector<PartitionsRound> many;
};

// Records per second of the partitioned file over those of the other that are asked for, by
// requests in flight; 0: no goal.
double PartitionsGoal(uint32_t in_flight);

ResultPage PartitionsPage(const std::vector<PartitionsFigures>& figures, std::string lead);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_PARTITIONS_PAGE_H_
