// What a run's counters are held against: the article where it speaks, the counter model elsewhere.
#ifndef QUIRE_CLIENT_BENCH_EXPECTED_H_
#define QUIRE_CLIENT_BENCH_EXPECTED_H_

#include <cstdint>
#include <optional>
#include <string>

#include "client/bench/counter_model.h"
#include "client/bench/run_result.h"

namespace quire {
namespace bench {

struct ExpectedFigure {
  int64_t value = 0;
  std::string source;  // "article", "model"
};

struct ExpectedFigures {
  std::optional<ExpectedFigure> requests;  // absent where nothing is known
  std::optional<ExpectedFigure> block_splits;
  std::optional<ExpectedFigure> index_levels;
  std::optional<ExpectedFigure> cache_hits;
  std::optional<ExpectedFigure> driver_input_calls;
  std::optional<ExpectedFigure> driver_output_calls;
  std::optional<ExpectedFigure> eof;
  std::optional<ExpectedFigure> cache_write_hits;    // write-through only: elsewhere they depend on
  std::optional<ExpectedFigure> cache_write_cleans;  // the control points (R-C5)
};

// The counter model for a configuration; cached, since playing it takes a while. Thread safe.
const ModelCounters& ModelOf(Config config, uint64_t records);

ExpectedFigures ExpectedOf(const RunResult& run);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_EXPECTED_H_
