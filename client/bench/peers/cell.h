// One store in one process: opens it fresh, does the works of one phase and says what it measured.
#ifndef QUIRE_CLIENT_BENCH_PEERS_CELL_H_
#define QUIRE_CLIENT_BENCH_PEERS_CELL_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/bench/peers/peer.h"

namespace quire {
namespace bench {

// By name; every figure of a work is named after it: "read" is operations per second. A load gives
// "load-runs" (records per second, settled), "load-runs/reply" (to the last reply alone, R-M1),
// "load-runs/bytes" on disc and "load-runs/memory", the peak of private memory in bytes beyond
// that of the records.
using Figures = std::map<std::string, double>;

inline constexpr char kReplySuffix[] = "/reply";
inline constexpr char kBytesSuffix[] = "/bytes";
inline constexpr char kMemorySuffix[] = "/memory";

struct CellPlan {
  std::vector<Work> works;  // of one phase
  std::string directory;    // empty
  uint64_t records = 0;
  uint64_t operations = 0;  // see OperationsOf
};

// Works that share one opening of a store: reads and mixes follow the load of 100 runs; every
// other work has the store to itself. `works` in the order of AllWorks.
std::vector<std::vector<Work>> PhasesOf(absl::Span<const Work> works);
// Of those asked for, what the peer takes part in.
std::vector<Work> WorksOf(const Peer& peer, absl::Span<const Work> asked);

// How many operations (or for groups: records) one round of a work has; 0 for loads and scans,
// which take all records. `operations` is the program's option: what a group work does; syncs are
// dear, so one at a time does a twentieth, and reads in this process five times as many.
uint64_t OperationsOf(Work work, bool over_network, uint64_t records, uint64_t operations);

absl::StatusOr<Figures> RunCell(const Peer& peer, const CellPlan& plan);

// How a child tells its parent: lines "name value".
std::string FiguresText(const Figures& figures);
absl::StatusOr<Figures> ParseFigures(std::string_view text);  // 22

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_CELL_H_
