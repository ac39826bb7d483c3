// A report as CSV: a header line, then one line per record, numbers plain and in raw units.
//
//   entity,row,volume,file,open_id,opener,opened_us,closed_us,from_us,to_us,REQUESTS,…
//
// `row` is record or total. Times are microseconds since 1970, busy times microseconds, sizes
// bytes. Fields that do not apply are empty, as are from_us before the first snapshot and
// closed_us of what is still open. Quoting is that of RFC 4180; lines end in LF. RATE has no
// effect.
#ifndef QUIRE_CLIENT_MEASURE_CSV_REPORT_H_
#define QUIRE_CLIENT_MEASURE_CSV_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "client/measure/window.h"

namespace quire {
namespace measure {

// A field in quotes if it needs them.
std::string CsvField(std::string_view text);

// The counters' columns are those of all records,
// in the order in which they first come.
std::string CsvReport(const std::vector<WindowRecord>& records);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_CSV_REPORT_H_
