// The report's words: by how much BUFFERED and pipelining are faster and why, and where figures
// differ from the article's by design (R-C5).
#ifndef QUIRE_CLIENT_BENCH_EXPLANATION_H_
#define QUIRE_CLIENT_BENCH_EXPLANATION_H_

#include <string>
#include <vector>

#include "client/bench/run_result.h"

namespace quire {
namespace bench {

// Paragraphs of plain text; only those that the runs at hand give figures for.
std::vector<std::string> Explain(const std::vector<RunResult>& runs);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_EXPLANATION_H_
