// Compares two files of measurements: median ratios of the runs they have in common.
#ifndef QUIRE_CLIENT_BENCH_COMPARE_H_
#define QUIRE_CLIENT_BENCH_COMPARE_H_

#include <vector>

#include "client/bench/json_report.h"
#include "client/bench/report_tables.h"

namespace quire {
namespace bench {

// One row per kind of run that both have: second : first of the medians over repeats. Rows are
// missing for kinds that only one has.
Table CompareMeasurements(const std::vector<SavedRun>& first, const std::vector<SavedRun>& second);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_COMPARE_H_
