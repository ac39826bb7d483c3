// The text form of a report: ZMS style.
//
//   Discopen $DATA01.MEASURE.OUTFILE                        which entity
//   Opener quire-bench  OCB 41
//   Local System \QUIRE From 17 Dec 2019, 7:37:29 For 32.5 Minutes
//   ------------ Logical I/O ---------------------------------------------------
//   Cache-Hits                    402,047 #    Cache-Write-Hits             68,035 #
//
// Section rule: 12 hyphens, blank, title, blank, hyphens up to column 76. Two counters a row: label
// from column 1, value right-aligned to column 37, unit from column 39; the second from 44, to 78,
// from 80. Zero counters print their label alone; a core number is printed even when 0.
// Counters the layout does not name follow in a section Other, if they are not zero. Records are
// separated by a blank line; no line ends in blanks.
#ifndef QUIRE_CLIENT_MEASURE_TEXT_REPORT_H_
#define QUIRE_CLIENT_MEASURE_TEXT_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/measure/window.h"

namespace quire {
namespace measure {

struct TextReportOptions {
  bool rate = false;
  std::string system = "\\QUIRE";  // where a record's file names no node
  absl::TimeZone time_zone = absl::LocalTimeZone();
};

// "CACHE-WRITE-CLEANS" -> "Cache-Write-Cleans", "DBIO-INPUT-CALLS" -> "DBIO-Input-Calls".
std::string CounterLabel(std::string_view counter);

// 22 with `rate` when a record's window has no known length.
absl::StatusOr<std::string> TextReport(const std::vector<WindowRecord>& records,
                                       const TextReportOptions& options);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_TEXT_REPORT_H_
