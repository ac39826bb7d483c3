// Makes up the input of the article's program: a MEASURE report text whose keys come in the order
// that reproduces the published counters (100 rising runs fed in turn: record n is interval n / 100
// of pin n mod 100 on processor 00). Values come from a seed; the same seed gives the same bytes.
#ifndef QUIRE_CLIENT_BENCH_REPORT_GENERATOR_H_
#define QUIRE_CLIENT_BENCH_REPORT_GENERATOR_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "client/bench/splitmix.h"

namespace quire {
namespace bench {

inline constexpr uint64_t kArticleRecords = 135065;  // solved from the article's Requests
// A tenth, keeping an odd rest over the 100 runs so that their odd lengths show in Block-Splits.
inline constexpr uint64_t kQuickRecords = 13565;
inline constexpr uint64_t kMaxGeneratedRecords = 100 * 10'000'000ull;  // seven interval digits

inline constexpr uint32_t kMinReportLines = 8;
inline constexpr uint32_t kMaxReportLines = 40;

struct GeneratorOptions {
  uint64_t records = kArticleRecords;  // 1 … kMaxGeneratedRecords
  uint64_t seed = 1;
  uint32_t lines_min = kMinReportLines;  // of a block, its blank line included
  uint32_t lines_max = kMaxReportLines;
};

class ReportGenerator {
 public:
  // 22 when an option is out of its range.
  static absl::Status Check(const GeneratorOptions& options);

  explicit ReportGenerator(const GeneratorOptions& options)
      : options_(options), random_(options.seed) {}

  // Appends the next block; false after the last.
  bool AppendNext(std::string* out);

 private:
  const GeneratorOptions options_;
  SplitMix64 random_;
  uint64_t next_ = 0;
};

// Writes the whole text to `path`, replacing what is there when all of it is written. `progress`
// is told how many records are done and returns false to stop (40, the file is not made).
absl::Status WriteReport(const GeneratorOptions& options, const std::string& path,
                         absl::FunctionRef<bool(uint64_t done)> progress);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_REPORT_GENERATOR_H_
