#include "client/bench/page/page_sections.h"

#include <map>

#include "quire/text.h"

namespace quire {
namespace bench {

std::string BarsTitle(const PageBars& bars) {
  return StrCat(bars.title, bars.unit.empty() ? "" : ", ", bars.unit,
                bars.less_is_better ? " (less is better)" : "");
}

Table CurvesTable(const PageCurves& curves) {
  Table table{.title = StrCat(curves.title, ": ", curves.y_label),
              .columns = {curves.x_label},
              .rows = {},
              .text_columns = 0};
  std::map<double, std::vector<std::string>> rows;
  for (size_t column = 0; column < curves.curves.size(); ++column) {
    table.columns.push_back(curves.curves[column].label);
    for (const PagePoint& point : curves.curves[column].points) {
      std::vector<std::string>& row = rows[point.x];
      row.resize(curves.curves.size() + 1);
      row[0] = FigureText(point.x);
      row[column + 1] = SpreadText(point.y);
    }
  }
  for (auto& [x, row] : rows) table.rows.push_back(std::move(row));
  return table;
}

}  // namespace bench
}  // namespace quire
