// The tables of a csvload report, for the terminal and the page alike.
#ifndef QUIRE_CLIENT_BENCH_REPORT_TABLES_H_
#define QUIRE_CLIENT_BENCH_REPORT_TABLES_H_

#include <string>
#include <vector>

#include "client/bench/checks.h"
#include "client/bench/page/table.h"
#include "client/bench/run_result.h"

namespace quire {
namespace bench {

// One row per run: times, rates, memory, space.
Table LoadsTable(const std::vector<RunResult>& runs);
// Counters of one configuration beside the article's, with relative differences.
Table DiscopenTable(Config config, const std::vector<RunResult>& runs);
// The program that writes the file, beside the article's; the servers after it.
Table ProcessTable(const std::vector<RunResult>& runs);
// What went to disc: trail, syncs, control points.
Table DiscTable(const std::vector<RunResult>& runs);
Table ChecksTable(const std::vector<Check>& checks);

// Configurations that occur, in order of first appearance.
std::vector<Config> ConfigsIn(const std::vector<RunResult>& runs);

// Loads, DISCOPEN per configuration, PROCESS, DISC, checks.
std::vector<Table> AllTables(const std::vector<RunResult>& runs, const std::vector<Check>& checks);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_REPORT_TABLES_H_
