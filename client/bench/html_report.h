// The csvload report as one self-contained HTML page: no scripts, no external resources, light and
// dark.
#ifndef QUIRE_CLIENT_BENCH_HTML_REPORT_H_
#define QUIRE_CLIENT_BENCH_HTML_REPORT_H_

#include <string>
#include <vector>

#include "client/bench/checks.h"
#include "client/bench/run_result.h"

namespace quire {
namespace bench {

std::string RenderHtml(const std::vector<RunResult>& runs, const std::vector<Check>& checks);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_HTML_REPORT_H_
