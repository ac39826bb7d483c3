// Measurements as JSON: an array with one object per run. The fields and their order are fixed;
// figures that could not be measured are null.
#ifndef QUIRE_CLIENT_BENCH_JSON_REPORT_H_
#define QUIRE_CLIENT_BENCH_JSON_REPORT_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/run_result.h"

namespace quire {
namespace bench {

std::string RenderJson(const std::vector<RunResult>& runs);

// What `compare` needs of one run.
struct SavedRun {
  std::string title;  // "B grpc, in flight 4096, batch 64, 135065 records": runs that compare
  double elapsed_s = 0;
  double placed_s = 0;
  double records_per_s = 0;
  double client_cpu_s = 0;
  double server_cpu_s = 0;  // 0: not measured
};
// `path` names the source in messages. 22 for anything that RenderJson does not write.
absl::StatusOr<std::vector<SavedRun>> ParseJson(std::string_view path, std::string_view text);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_JSON_REPORT_H_
