// What csvload prints and saves.
#ifndef QUIRE_CLIENT_BENCH_CSVLOAD_OUTPUT_H_
#define QUIRE_CLIENT_BENCH_CSVLOAD_OUTPUT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "client/bench/checks.h"
#include "client/bench/run_result.h"

namespace quire {
namespace bench {

// One line, printed as soon as a run is done.
std::string RunLine(const RunResult& run);
// All tables, the explanations and the verdict, as text of at most 100 columns of words.
std::string RenderCsvload(const std::vector<RunResult>& runs, const std::vector<Check>& checks);
// Writes the files whose paths are not empty, making their folders.
absl::Status SaveCsvload(const std::vector<RunResult>& runs, const std::vector<Check>& checks,
                         const std::string& json_path, const std::string& html_path);

// Words of `paragraph` in lines of at most `columns`.
std::string WrapText(const std::string& paragraph, size_t columns);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_CSVLOAD_OUTPUT_H_
