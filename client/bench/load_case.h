// The file configurations of the article and how a load drives them.
#ifndef QUIRE_CLIENT_BENCH_LOAD_CASE_H_
#define QUIRE_CLIENT_BENCH_LOAD_CASE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/article.h"
#include "client/bench/record_source.h"
#include "quire/attributes.h"
#include "quire/file_name.h"

namespace quire {
namespace bench {

struct LoadCase {
  Config config = Config::kA;
  uint32_t in_flight = 1;  // operations under way; 1: each reply is awaited, as the article did
  uint32_t batch = 1;      // operations of one message

  bool one_at_a_time() const { return in_flight == 1; }
};

// "A,C" -> configurations in that order; 22 for other letters, doubles, nothing.
absl::StatusOr<std::vector<Config>> ParseConfigs(std::string_view text);

bool IsWriteThrough(Config config);
bool IsAudited(Config config);
bool IsPartitioned(Config config);
std::string_view ModeName(Config config);  // "write-through", "buffered", "audit"
// What of the acknowledged changes the end of a process or of the machine takes away: "nothing",
// "since control point".
std::string_view LostByCrash(Config config);
// "A", "B pipelined": the run's short title.
std::string TitleOf(const LoadCase& load_case);

// $DATA01.MEASURE.OUTFILE, or OUTFILE2 for the partitioned ones.
FileName FileOf(Config config);
// Attributes as the article's FUP session set them. The record's shape comes from the input; C
// and E take the key of report text from offset 2 (9 bytes), as the article did, and the whole key
// of CSV.
FileAttributes AttributesOf(Config config, const InputOptions& input);
// Volumes the configuration's file lies on, primary first.
std::vector<std::string> VolumesOf(Config config);
// Partitions the primary included: 1 or 11.
uint32_t PartitionsOf(Config config);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LOAD_CASE_H_
