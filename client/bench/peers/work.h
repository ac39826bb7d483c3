// The kinds of work that every store is given, each a row group of the results.
#ifndef QUIRE_CLIENT_BENCH_PEERS_WORK_H_
#define QUIRE_CLIENT_BENCH_PEERS_WORK_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/types/span.h"

namespace quire {
namespace bench {

enum class Work : uint8_t {
  kDurable,        // PeerDurability::kEach: one Write at a time
  kGroup,          // kGrouped: WriteGroup of 64
  kLoadAscending,  // kNone: all records in one WriteGroup, then Settle
  kLoadRuns,       // the same, 100 rising runs fed in turn
  kLoadShuffled,
  kLoadDurable,  // kGrouped: all records in one WriteGroup, 100 runs. A store may cut it into
                 // several commits; each is durable before WriteGroup returns
  kRead,         // Read, keys at random
  kReadGroup,    // ReadGroup: groups of 64, 16 of them under way
  kScan,         // the whole file in order
  kMixedA,       // YCSB: half reads, half updates, zipfian
  kMixedB,       // 95 % reads, 5 % updates
  kMixedC,       // reads
  kMixedD,       // 95 % reads of what is new, 5 % inserts
  kMixedE,       // 95 % scans of 1 to 100 records, 5 % inserts
  kMixedF,       // half reads, half read-change-write
};

// In the order of the page.
absl::Span<const Work> AllWorks();
// "durable", "load-runs", "mixed-a": as --peers_work takes them.
std::string_view NameOf(Work work);
std::optional<Work> WorkOf(std::string_view name);
// "Durable, one at a time": the head of its bars.
std::string_view TitleOf(Work work);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_WORK_H_
