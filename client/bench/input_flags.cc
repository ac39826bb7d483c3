#include "client/bench/input_flags.h"

#include <string>

#include "absl/flags/flag.h"
#include "client/bench/errors.h"

ABSL_FLAG(uint64_t, records, quire::bench::kArticleRecords,
          "report blocks to make up (the article's number)");
ABSL_FLAG(bool, quick, false,
          "a try: csvload and generate make up a tenth of the records, 13,565; readahead, "
          "extents and blocks take a few records and one round");
ABSL_FLAG(uint64_t, seed, 1, "seed of the made-up values");
ABSL_FLAG(uint32_t, report_lines_min, quire::bench::kMinReportLines,
          "lines of the shortest report block");
ABSL_FLAG(uint32_t, report_lines_max, quire::bench::kMaxReportLines,
          "lines of the longest report block");
ABSL_FLAG(std::string, input, "", "csvload: MEASURE report text to load; default: made up");
ABSL_FLAG(std::string, csv, "", "csvload: CSV file to load instead of a report text");
ABSL_FLAG(uint32_t, key_column, 1, "csvload: column of --csv that holds the key, from 1");
ABSL_FLAG(uint32_t, key_length, quire::bench::kArticleKeyBytes,
          "csvload: KEYLEN for --csv; shorter keys are blank padded");
ABSL_FLAG(uint32_t, rec, quire::bench::kArticleRecordBytes,
          "csvload: record length; the text is blank padded to it");

namespace quire {
namespace bench {

GeneratorOptions GeneratorFromFlags() {
  GeneratorOptions options;
  options.records = absl::GetFlag(FLAGS_quick) ? kQuickRecords : absl::GetFlag(FLAGS_records);
  options.seed = absl::GetFlag(FLAGS_seed);
  options.lines_min = absl::GetFlag(FLAGS_report_lines_min);
  options.lines_max = absl::GetFlag(FLAGS_report_lines_max);
  return options;
}

absl::StatusOr<InputOptions> InputFromFlags() {
  InputOptions options;
  const std::string report = absl::GetFlag(FLAGS_input);
  const std::string csv = absl::GetFlag(FLAGS_csv);
  if (!report.empty() && !csv.empty()) return BadOption("csv", "give either --csv or --input");
  options.csv = !csv.empty();
  options.path = options.csv ? csv : report;
  options.key_column = absl::GetFlag(FLAGS_key_column);
  options.key_length = absl::GetFlag(FLAGS_key_length);
  options.record_bytes = absl::GetFlag(FLAGS_rec);
  return options;
}

}  // namespace bench
}  // namespace quire
