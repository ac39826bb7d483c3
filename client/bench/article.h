// The figures the article printed for its three runs on the real system (17 December 2019), and
// what follows from them for a file of the same shape.
#ifndef QUIRE_CLIENT_BENCH_ARTICLE_H_
#define QUIRE_CLIENT_BENCH_ARTICLE_H_

#include <cstdint>
#include <optional>

namespace quire {
namespace bench {

// The file configurations. A: write-through, one partition. B: the same, BUFFERED. C: BUFFERED, a
// primary (empty) and ten secondary partitions. Ours, as the article stops there: D: AUDIT, one
// partition. E: AUDIT, partitioned as C.
enum class Config : char { kA = 'A', kB = 'B', kC = 'C', kD = 'D', kE = 'E' };

struct ArticleFigures {
  // DISCOPEN, all partitions together.
  int64_t requests = 0;
  int64_t cache_hits = 0;
  int64_t cache_write_hits = 0;
  int64_t cache_write_cleans = 0;
  int64_t block_splits = 0;
  int64_t driver_input_calls = 0;
  int64_t driver_output_calls = 0;
  // INFO DETAIL; not printed for C.
  std::optional<int64_t> eof;
  std::optional<int64_t> index_levels;
  // PROCESS: the program that wrote the file.
  double elapsed_s = 0;
  double cpu_busy_s = 0;
  int64_t dispatches = 0;
  double ready_s = 0;
};

// nullptr for D and E.
const ArticleFigures* Article(Config config);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_ARTICLE_H_
