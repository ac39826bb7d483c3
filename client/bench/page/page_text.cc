#include <variant>

#include "client/bench/csvload_output.h"
#include "client/bench/page/page_sections.h"
#include "client/bench/page/result_page.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kTextColumns = 100;

std::string SectionText(const PageBars& bars) {
  Table table{.title = BarsTitle(bars),
              .columns = {"", bars.unit, "lowest", "highest", ""},
              .rows = {},
              .text_columns = 1};
  for (const PageBar& bar : bars.bars) {
    table.rows.push_back({bar.label, FigureText(bar.value.median), FigureText(bar.value.low),
                          FigureText(bar.value.high), bar.note});
  }
  return RenderText(table);
}

std::string SectionText(const PageCurves& curves) {
  return RenderText(CurvesTable(curves));
}

std::string SectionText(const Table& table) {
  return RenderText(table);
}

std::string SectionText(const PageNote& note) {
  return WrapText(note.text, kTextColumns);
}

}  // namespace

std::string RenderPageText(const ResultPage& page) {
  std::string text = StrCat(page.title(), ": ", page.lead(), "\n");
  if (!page.goals().empty()) StrAppend(&text, "\n", RenderText(GoalsTable(page)));
  for (const ResultPage::Section& section : page.sections()) {
    StrAppend(&text, "\n",
              std::visit([](const auto& content) { return SectionText(content); }, section));
  }
  return text;
}

}  // namespace bench
}  // namespace quire
