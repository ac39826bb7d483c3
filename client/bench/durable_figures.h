// Figures of one durable write at a time beside a bare synced append of the same bytes (R-M1).
#ifndef QUIRE_CLIENT_BENCH_DURABLE_FIGURES_H_
#define QUIRE_CLIENT_BENCH_DURABLE_FIGURES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "client/bench/latency_figures.h"

namespace quire {
namespace bench {

// The kinds, in the order in which a round runs them.
enum class DurableKind : uint8_t {
  kBareFdatasync = 0,
  kBareDirect = 1,
  kAudit = 2,
  kWriteThrough = 3,
  kBuffered = 4,  // for comparison: what the write costs without the trail
};
inline constexpr size_t kDurableKinds = 5;

// Rate of AUDIT over that of the bare append: the goal.
inline constexpr double kDurableGoal = 0.8;

struct DurableRatio {
  double median = 0;  // over the rounds, each by itself
  double low = 0;
  double high = 0;
};

struct DurableFigures {
  uint32_t record_bytes = 0;
  uint32_t append_bytes = 0;  // of the bare append: the padded size of an AUDIT batch
  size_t rounds = 0;
  std::vector<LatencyFigures> kinds;                      // by DurableKind
  DurableKind faster_bare = DurableKind::kBareFdatasync;  // by the median of the rounds
  DurableRatio audit;                                     // over the faster bare append
  DurableRatio write_through;
  bool met() const { return audit.median >= kDurableGoal; }
};

// `rounds[kind]` are the rounds of the kind; as many of each, not none.
DurableFigures SummarizeDurable(std::vector<std::vector<LatencyRound>> rounds);

std::string RenderDurable(const DurableFigures& figures);      // for people
std::string RenderDurableJson(const DurableFigures& figures);  // one object

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_DURABLE_FIGURES_H_
