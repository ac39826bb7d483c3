// The cases of quire-bench lookaside and their rounds.
#ifndef QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_RUN_H_
#define QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_RUN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/lookaside/lookaside_volume.h"

namespace quire {
namespace bench {

enum class ReadOrder : uint8_t {
  kUniform,  // any record
  kSkewed,   // nine of ten reads go to a tenth of the records
  kInTurn,   // one after the other, round and round: the worst for a cache smaller than the file
};

struct LookasideCase {
  std::string name;
  std::string what;  // a sentence
  LookasideFile file;
  ReadOrder order = ReadOrder::kUniform;
  bool swapped = false;      // SwappedMemory stands for a memory that is too small
  bool freezing = false;     // FREEZE against NOFREEZE, not ways of keeping data
  uint64_t warm_reads = 0;   // of each way before the first round
  uint64_t round_reads = 0;  // of each way in a round
};

// The published cases. `scale_percent` of their records, reads and caches: less for a look.
std::vector<LookasideCase> PublishedCases(uint32_t scale_percent);

// Never, always and measured; or NOFREEZE and FREEZE.
struct WayResult {
  std::string name;
  std::vector<double> read_us = {};      // per read, round by round
  std::vector<double> index_reads = {};  // physical, per read, round by round
  double found = 0;       // share of block reads that found their block, index included
  int64_t decisions = 0;  // since the start, warming up included
  double cached_us = 0;   // sampled; 0: not measured
  double store_us = 0;
  int64_t frozen_blocks = 0;
};

struct CaseResult {
  LookasideCase measured;
  std::vector<WayResult> ways;
};

// Everything below `directory`. Ways take turns in each round.
absl::StatusOr<CaseResult> RunCase(const LookasideCase& one, uint32_t rounds,
                                   const std::string& directory);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LOOKASIDE_LOOKASIDE_RUN_H_
