#include <algorithm>
#include <variant>

#include "client/bench/html_chart.h"
#include "client/bench/page/curve_chart.h"
#include "client/bench/page/html_frame.h"
#include "client/bench/page/page_sections.h"
#include "client/bench/page/result_page.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kOurs = 0;
constexpr size_t kOthers = 2;

std::string SectionHtml(const PageBars& bars) {
  BarChart chart{.title = BarsTitle(bars), .series = {}, .groups = {}};
  const bool all_alike = std::all_of(bars.bars.begin(), bars.bars.end(), [&](const PageBar& bar) {
    return bar.ours == bars.bars.front().ours;
  });
  for (const PageBar& bar : bars.bars) {
    const size_t series = bar.ours || all_alike ? kOurs : kOthers;
    chart.groups.push_back(
        {bar.label,
         {{series, bar.value.median,
           StrCat(SpreadText(bar.value), bar.note.empty() ? "" : "  ", bar.note)}}});
  }
  return StrCat("<section>\n", RenderChart(chart), "</section>\n");
}

std::string SectionHtml(const PageCurves& curves) {
  return StrCat("<section>\n", RenderCurves(curves), "</section>\n",
                RenderTable(CurvesTable(curves)));
}

std::string SectionHtml(const Table& table) {
  return RenderTable(table);
}

std::string SectionHtml(const PageNote& note) {
  return StrCat("<p>", EscapeHtml(note.text), "</p>\n");
}

}  // namespace

std::string RenderPageHtml(const ResultPage& page) {
  std::string html = PageStart(page.title());
  StrAppend(&html, "<h1>", EscapeHtml(page.title()), "</h1>\n<p class=\"lead\">",
            EscapeHtml(page.lead()), "</p>\n");
  if (!page.goals().empty()) html.append(RenderTable(GoalsTable(page)));
  for (const ResultPage::Section& section : page.sections()) {
    html.append(std::visit([](const auto& content) { return SectionHtml(content); }, section));
  }
  html.append(kPageEnd);
  return html;
}

}  // namespace bench
}  // namespace quire
