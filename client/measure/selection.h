// What a report shows of a window's records: IF, ZERO-REPORTS, BY and TOTALS.
#ifndef QUIRE_CLIENT_MEASURE_SELECTION_H_
#define QUIRE_CLIENT_MEASURE_SELECTION_H_

#include <vector>

#include "absl/status/statusor.h"
#include "client/measure/report_options.h"
#include "client/measure/window.h"

namespace quire {
namespace measure {

// The records that pass, in the order asked for; a total of them, marked as such, comes last.
// Records with equal values keep their order. A total leaves out values that cannot be added up
// (core number, priority, age). BY and IF compare what was counted, whatever RATE says. 22 when
// they name a counter that the records do not have.
absl::StatusOr<std::vector<WindowRecord>> Select(std::vector<WindowRecord> records,
                                                 const ReportOptions& options);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_SELECTION_H_
