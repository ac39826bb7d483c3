// Runs all rows round by round, each phase of each in a process of its own.
#ifndef QUIRE_CLIENT_BENCH_PEERS_ROUNDS_H_
#define QUIRE_CLIENT_BENCH_PEERS_ROUNDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/bench/limits/limit.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/results.h"

namespace quire {
namespace bench {

struct RoundsPlan {
  std::vector<Peer> peers;
  std::vector<Limit> limits;
  std::vector<Work> works;  // in the order of AllWorks
  uint32_t rounds = 5;
  uint64_t records = 0;
  uint64_t operations = 0;
  std::string directory;  // to work in
};

// What a child is told: arguments of `quire-bench peers` behind the name of the command.
struct CellOrder {
  std::string row;          // of a peer or of a limit
  std::vector<Work> works;  // of one phase, not none
  std::string directory;    // empty
  std::string figures;      // file to write FiguresText to
};

// The rows of a phase follow each other, so that they meet the same machine; which comes first goes
// round from round to round. A row that fails is left out from then on and named in `failures`, a
// line each. 40 (Ctrl-C), 11, 22, 43, 48 for the folder.
absl::StatusOr<Results> RunRounds(const RoundsPlan& plan, std::vector<std::string>* failures);

// In the child: does what it was told and writes the figures.
absl::Status ObeyCellOrder(const CellOrder& order, const RoundsPlan& plan);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_ROUNDS_H_
