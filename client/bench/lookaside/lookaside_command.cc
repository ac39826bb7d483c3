// quire-bench lookaside: what keeping blocks is worth, and what FREEZE saves.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/lookaside/lookaside_page.h"
#include "client/bench/lookaside/lookaside_run.h"
#include "client/bench/page/result_page.h"
#include "client/bench/work_folder.h"
#include "quire/text.h"

ABSL_DECLARE_FLAG(std::string, directory);  // of csvload

ABSL_FLAG(uint32_t, lookaside_rounds, 7, "lookaside: rounds of each case");
ABSL_FLAG(uint32_t, lookaside_percent, 100,
          "lookaside: share of the records, reads and caches of the published cases");

namespace quire {
namespace bench {

absl::StatusOr<int> LookasideCommand() {
  const uint32_t rounds = absl::GetFlag(FLAGS_lookaside_rounds);
  const uint32_t percent = absl::GetFlag(FLAGS_lookaside_percent);
  if (rounds == 0) return BadOption("lookaside-rounds", "must be above 0");
  if (percent == 0 || percent > 1000) return BadOption("lookaside-percent", "1 to 1000");
  std::vector<CaseResult> results;
  for (const LookasideCase& one : PublishedCases(percent)) {
    absl::StatusOr<WorkFolder> folder =
        WorkFolder::Make(absl::GetFlag(FLAGS_directory), /*keep=*/false);
    if (!folder.ok()) return folder.status();
    std::fprintf(stderr, "%s\n", one.name.c_str());
    absl::StatusOr<CaseResult> result = RunCase(one, rounds, folder->path());
    if (!result.ok()) return result.status();
    results.push_back(*std::move(result));
  }
  return Publish(LookasidePage(results, rounds), PublishFlags());
}

}  // namespace bench
}  // namespace quire
