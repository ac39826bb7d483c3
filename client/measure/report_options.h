// Report attributes: what SET REPORT and the options of LIST say.
#ifndef QUIRE_CLIENT_MEASURE_REPORT_OPTIONS_H_
#define QUIRE_CLIENT_MEASURE_REPORT_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/measure/token_cursor.h"

namespace quire {
namespace measure {

enum class Totals : uint8_t { kSuppress, kInclude, kOnly };

enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kAtMost, kGreater, kAtLeast };

struct Condition {
  std::string counter;
  Comparison comparison = Comparison::kEqual;
  int64_t value = 0;  // in the counter's unit; times in microseconds
};

// What is not said is left to the one it is laid over, and last to the defaults here.
struct ReportOptions {
  std::optional<Totals> totals;      // default: SUPPRESS
  std::optional<bool> zero_reports;  // default: included
  std::optional<bool> rate;          // default: OFF
  std::optional<std::string> by;     // counter; default: the volumes' own order
  std::optional<Condition> condition;
  std::optional<std::string> from_file;  // first snapshot; default: the measurement added, if any
  std::optional<std::string> to_file;    // second snapshot; default: the counters now
};

// `base` with everything that `over` says.
ReportOptions Laid(const ReportOptions& over, ReportOptions base);

// One option: TOTALS SUPPRESS|INCLUDE|ONLY, ZERO-REPORTS INCLUDE|SUPPRESS, RATE ON|OFF,
// BY counter, IF counter op value [ unit ], FROM FILE path, TO FILE path. Errors: 22, 21.
absl::Status ParseReportOption(TokenCursor& cursor, ReportOptions* options);

// Options separated by commas, up to the end of the command; at least one.
absl::StatusOr<ReportOptions> ParseReportOptions(TokenCursor& cursor);

// How the options are written, lines for HELP.
std::string_view ReportOptionsUsage();

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_REPORT_OPTIONS_H_
