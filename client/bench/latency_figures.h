// Rates and percentiles of one kind of operation, measured in several rounds.
#ifndef QUIRE_CLIENT_BENCH_LATENCY_FIGURES_H_
#define QUIRE_CLIENT_BENCH_LATENCY_FIGURES_H_

#include <cstdint>
#include <string>
#include <vector>

namespace quire {
namespace bench {

// One round: how long it took in all, and each operation by itself. Times in nanoseconds.
struct LatencyRound {
  uint64_t operations = 0;
  int64_t elapsed_ns = 0;
  std::vector<int64_t> latencies_ns;  // unsorted
};

struct LatencyFigures {
  std::string what;
  double per_second = 0;      // median of the rounds
  double per_second_low = 0;  // slowest and fastest round
  double per_second_high = 0;
  double p50_us = 0;  // of all operations of all rounds
  double p99_us = 0;
};

// `rounds` not empty, none without operations.
LatencyFigures SummarizeRounds(std::string what, std::vector<LatencyRound> rounds);

// The value below which `share` (0 … 1) of the values lie; nearest rank. `values` not empty; sorted
// in place.
int64_t Percentile(std::vector<int64_t>* values, double share);

// A table for people.
std::string LatencyTable(const std::vector<LatencyFigures>& figures);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LATENCY_FIGURES_H_
