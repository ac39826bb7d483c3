#include "client/bench/page/result_page.h"

#include <algorithm>
#include <cstdio>

#include "client/bench/commands.h"
#include "client/bench/output_file.h"

namespace quire {
namespace bench {

bool ResultPage::GoalsMet() const {
  return std::all_of(goals_.begin(), goals_.end(),
                     [](const PageGoal& goal) { return goal.met || !goal.measured; });
}

Table GoalsTable(const ResultPage& page) {
  Table table{.title = "Goals",
              .columns = {"what", "asked", "measured", "result"},
              .rows = {},
              .text_columns = 4};
  for (const PageGoal& goal : page.goals()) {
    table.rows.push_back({goal.what, goal.asked, goal.got,
                          !goal.measured ? "not measured"
                          : goal.met     ? "met"
                                         : "MISSED"});
  }
  return table;
}

absl::StatusOr<int> Publish(const ResultPage& page, const PublishOptions& options) {
  std::fputs(RenderPageText(page).c_str(), stdout);
  if (absl::Status saved = SaveText(options.json, RenderPageJson(page)); !saved.ok()) return saved;
  if (absl::Status saved = SaveText(options.html, RenderPageHtml(page)); !saved.ok()) return saved;
  return page.GoalsMet() || !options.strict ? kExitDone : kExitMissed;
}

}  // namespace bench
}  // namespace quire
