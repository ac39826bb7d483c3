// Everything measured in one load.
#ifndef QUIRE_CLIENT_BENCH_RUN_RESULT_H_
#define QUIRE_CLIENT_BENCH_RUN_RESULT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "client/bench/load_case.h"
#include "client/bench/process_figures.h"

namespace quire {
namespace bench {

// DISCOPEN counters of the load's open, all its partitions added up.
struct OpenCounters {
  int64_t requests = 0;
  int64_t cache_hits = 0;
  int64_t cache_write_hits = 0;
  int64_t cache_write_cleans = 0;
  int64_t block_splits = 0;
  int64_t driver_input_calls = 0;
  int64_t driver_output_calls = 0;
  int64_t cache_read_misses = 0;
  int64_t cache_write_misses = 0;
};

// DISC counters of the volumes during the load and its control point, added up.
struct DiscCounters {
  int64_t trail_bytes = 0;
  int64_t trail_syncs = 0;
  double trail_sync_s = 0;
  int64_t store_syncs = 0;
  int64_t control_points = 0;
  double control_point_s = 0;
};

struct RunResult {
  LoadCase load_case;
  uint32_t partitions = 1;  // the primary included
  std::string transport;    // "grpc", "router", "embedded"
  uint64_t records = 0;
  uint32_t record_bytes = 0;
  double elapsed_s = 0;  // from the first record to the last reply
  double placed_s = 0;   // from the first record to the completed control point (R-M1)

  ProcessFigures client;                 // this program; embedded: with the volumes in it
  std::optional<ProcessFigures> server;  // server processes added up; absent when embedded
  // Highest sum of private memory over the servers (R-D5); absent where they cannot be seen.
  std::optional<uint64_t> server_peak_anon_bytes;
  std::optional<uint64_t> memory_limit_bytes;  // what R-D5 allows them

  OpenCounters open;
  DiscCounters disc;
  int64_t eof = 0;  // added up over the partitions
  int64_t index_levels = 0;
  std::optional<uint64_t> disc_bytes;  // of the volumes' directories, after the control point

  bool verified = false;
  std::string difference;         // why not
  bool in_article_order = false;  // keys came as the counter model expects them

  double records_per_s() const {
    return elapsed_s > 0 ? static_cast<double>(records) / elapsed_s : 0;
  }
  int64_t syncs() const { return disc.trail_syncs + disc.store_syncs; }
  // The shape the article's figures and the model speak of.
  bool has_article_shape() const { return in_article_order && record_bytes == kArticleRecordBytes; }
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_RUN_RESULT_H_
