// A report as JSON: one array per LIST, an object per record, numbers plain and in raw units
// (R-A6).
//
//   [{"entity": "DISCOPEN", "row": "record", "volume": "$DATA01", "file": …, "open_id": 41,
//     "opener": …, "opened_us": …, "closed_us": null, "from_us": …, "to_us": …,
//     "counters": {"REQUESTS": 135070, …}}]
//
// Members as the columns of csv_report.h; null where those are empty.
#ifndef QUIRE_CLIENT_MEASURE_JSON_REPORT_H_
#define QUIRE_CLIENT_MEASURE_JSON_REPORT_H_

#include <string>
#include <vector>

#include "client/measure/window.h"

namespace quire {
namespace measure {

std::string JsonReport(const std::vector<WindowRecord>& records);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_JSON_REPORT_H_
