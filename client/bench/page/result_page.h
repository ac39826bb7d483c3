// What a benchmark found, once: as text for the terminal, as an HTML page with bars and curves, and
// as JSON. Sections come in the order in which they were added, goals always first.
//
//   ResultPage page("quire-bench peers", "135,065 records of 1,676 bytes, 5 rounds, 2 cores");
//   page.AddGoal({.what = "AUDIT over BUFFERED", .asked = ">= 0.90", .got = "0.95", .met = true});
//   page.AddBars({.title = "Point reads", .unit = "records/s", .bars = {…}});
//   return Publish(page, {.json = …, .html = …, .strict = …});
#ifndef QUIRE_CLIENT_BENCH_PAGE_RESULT_PAGE_H_
#define QUIRE_CLIENT_BENCH_PAGE_RESULT_PAGE_H_

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "client/bench/page/spread.h"
#include "client/bench/page/table.h"

namespace quire {
namespace bench {

// One figure asked for and what was measured.
struct PageGoal {
  std::string what = {};   // "point reads, session batches of 64, over PostgreSQL pipelined"
  std::string asked = {};  // ">= 2.5"
  std::string got = {};    // "2.9 (2.7 – 3.1)", or why it was not measured
  bool met = false;
  bool measured = true;  // false: neither met nor missed
};

struct PageBar {
  std::string label = {};
  Spread value = {};
  bool ours = false;      // Quire's bars stand out
  std::string note = "";  // printed after the figure
};

// Compares things of one unit: the longest bar is the largest value.
struct PageBars {
  std::string title = {};
  std::string unit = {};
  bool less_is_better = false;  // said in the title
  std::vector<PageBar> bars = {};
};

struct PagePoint {
  double x = 0;
  Spread y = {};
};

struct PageCurve {
  std::string label = {};
  std::vector<PagePoint> points = {};  // by rising x
};

// A few curves over one x axis.
struct PageCurves {
  std::string title = {};
  std::string x_label = {};
  std::string y_label = {};
  bool logarithmic_x = false;  // x > 0
  std::vector<PageCurve> curves = {};
};

// A paragraph.
struct PageNote {
  std::string text = {};
};

// Not thread safe.
class ResultPage {
 public:
  ResultPage(std::string title, std::string lead)
      : title_(std::move(title)), lead_(std::move(lead)) {}

  void AddGoal(PageGoal goal) { goals_.push_back(std::move(goal)); }
  void AddBars(PageBars bars) { sections_.emplace_back(std::move(bars)); }
  void AddCurves(PageCurves curves) { sections_.emplace_back(std::move(curves)); }
  void AddTable(Table table) { sections_.emplace_back(std::move(table)); }
  void AddNote(std::string text) { sections_.emplace_back(PageNote{std::move(text)}); }

  using Section = std::variant<PageBars, PageCurves, Table, PageNote>;
  const std::string& title() const { return title_; }
  const std::string& lead() const { return lead_; }
  const std::vector<PageGoal>& goals() const { return goals_; }
  const std::vector<Section>& sections() const { return sections_; }
  bool GoalsMet() const;  // of those measured

 private:
  const std::string title_;
  const std::string lead_;
  std::vector<PageGoal> goals_;
  std::vector<Section> sections_ = {};
};

std::string RenderPageText(const ResultPage& page);  // page_text.cc
std::string RenderPageHtml(const ResultPage& page);  // page_html.cc: one file, nothing fetched
std::string RenderPageJson(const ResultPage& page);  // page_json.cc: plain numbers

struct PublishOptions {
  std::string json = {};  // file to write; empty: none
  std::string html = {};
  bool strict = false;  // missed goals make the exit code kExitMissed
};

// Prints the text on standard output and writes the files. Returns the program's exit code
// (commands.h). 11, 43, 48 for a file that cannot be written.
absl::StatusOr<int> Publish(const ResultPage& page, const PublishOptions& options);
// The options as --json, --html and --strict gave them (page_flags.cc).
PublishOptions PublishFlags();

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PAGE_RESULT_PAGE_H_
