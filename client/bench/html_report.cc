#include "client/bench/html_report.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "client/bench/explanation.h"
#include "client/bench/html_chart.h"
#include "client/bench/number_text.h"
#include "client/bench/page/html_frame.h"
#include "client/bench/report_generator.h"
#include "client/bench/report_tables.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kOneAtATime = 0;
constexpr size_t kPipelined = 1;

size_t SeriesOf(const RunResult& run) {
  return run.load_case.one_at_a_time() ? kOneAtATime : kPipelined;
}

std::string GroupLabel(const RunResult& run) {
  return StrCat(std::string(1, static_cast<char>(run.load_case.config)), ", ",
                ModeName(run.load_case.config), run.partitions > 1 ? ", 11 volumes" : "");
}

// One group per configuration, one bar per run.
template <typename ValueOf, typename TextOf>
BarChart ChartOverRuns(std::string title, const std::vector<RunResult>& runs, ValueOf value_of,
                       TextOf text_of) {
  BarChart chart{.title = std::move(title), .series = {"one at a time", "pipelined"}, .groups = {}};
  for (Config config : ConfigsIn(runs)) {
    BarGroup group;
    for (const RunResult& run : runs) {
      if (run.load_case.config != config) continue;
      group.label = GroupLabel(run);
      group.bars.push_back({SeriesOf(run), value_of(run), text_of(run)});
    }
    chart.groups.push_back(std::move(group));
  }
  return chart;
}

BarChart CounterChart(Config config, const std::vector<RunResult>& runs) {
  struct Row {
    const char* label;
    int64_t OpenCounters::*measured;
    int64_t ArticleFigures::*article;
  };
  static constexpr Row kRows[] = {
      {"Cache-Hits", &OpenCounters::cache_hits, &ArticleFigures::cache_hits},
      {"Cache-Write-Hits", &OpenCounters::cache_write_hits, &ArticleFigures::cache_write_hits},
      {"Cache-Write-Cleans", &OpenCounters::cache_write_cleans,
       &ArticleFigures::cache_write_cleans},
      {"Block-Splits", &OpenCounters::block_splits, &ArticleFigures::block_splits},
      {"Driver-Output-Calls", &OpenCounters::driver_output_calls,
       &ArticleFigures::driver_output_calls},
  };
  constexpr size_t kArticleSeries = 2;
  BarChart chart{
      .title = StrCat("Counters of configuration ", std::string(1, static_cast<char>(config))),
      .series = {"one at a time", "pipelined", "article"},
      .groups = {}};
  for (const Row& row : kRows) {
    BarGroup group{.label = row.label, .bars = {}};
    for (const RunResult& run : runs) {
      if (run.load_case.config != config) continue;
      const int64_t value = run.open.*row.measured;
      group.bars.push_back({SeriesOf(run), static_cast<double>(value), CountText(value)});
    }
    const ArticleFigures* const article = Article(config);
    const bool as_article =
        article != nullptr && std::any_of(runs.begin(), runs.end(), [config](const RunResult& run) {
          return run.load_case.config == config && run.records == kArticleRecords;
        });
    if (as_article) {
      const int64_t value = article->*row.article;
      group.bars.push_back({kArticleSeries, static_cast<double>(value), CountText(value)});
    }
    chart.groups.push_back(std::move(group));
  }
  return chart;
}

std::string Verdict(const std::vector<Check>& checks) {
  const auto missed =
      std::count_if(checks.begin(), checks.end(), [](const Check& check) { return !check.met; });
  if (missed == 0) return StrCat("All ", checks.size(), " checks are met.");
  return StrCat("Checks missed: ", missed, " of ", checks.size(), "; see the last table.");
}

}  // namespace

std::string RenderHtml(const std::vector<RunResult>& runs, const std::vector<Check>& checks) {
  std::string html = PageStart("Quire: csvload");
  html.append("<h1>Quire: csvload</h1>\n<p class=\"lead\">");
  const uint64_t records = runs.empty() ? 0 : runs.front().records;
  const uint32_t record_bytes = runs.empty() ? 0 : runs.front().record_bytes;
  StrAppend(&html, CountText(static_cast<int64_t>(records)), " records of ",
            CountText(record_bytes),
            " bytes loaded into a key-sequenced file, beside the counters that the article printed "
            "for the real system. ",
            Verdict(checks), "</p>\n<section>\n");
  html.append(RenderChart(ChartOverRuns(
      "Elapsed time to the last reply, seconds", runs,
      [](const RunResult& run) { return run.elapsed_s; },
      [](const RunResult& run) { return absl::StrFormat("%.2f s", run.elapsed_s); })));
  html.append(RenderChart(ChartOverRuns(
      "Records per second", runs, [](const RunResult& run) { return run.records_per_s(); },
      [](const RunResult& run) { return CountText(std::llround(run.records_per_s())); })));
  html.append("</section>\n<section>\n<h2>What the figures say</h2>\n");
  for (const std::string& paragraph : Explain(runs)) {
    StrAppend(&html, "<p>", EscapeHtml(paragraph), "</p>\n");
  }
  html.append("</section>\n");
  const std::vector<Table> tables = AllTables(runs, checks);
  html.append(RenderTable(tables.front()));
  html.append("<section>\n");
  for (Config config : ConfigsIn(runs)) html.append(RenderChart(CounterChart(config, runs)));
  html.append("</section>\n");
  for (size_t i = 1; i < tables.size(); ++i) html.append(RenderTable(tables[i]));
  html.append(kPageEnd);
  return html;
}

}  // namespace bench
}  // namespace quire
