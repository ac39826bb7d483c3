#include "client/bench/page/table.h"

#include <algorithm>

#include "client/bench/html_chart.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// Columns on a terminal: bytes that do not continue a UTF-8 character.
size_t DisplayColumns(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// A browser shows so many columns of figures side by side on a laptop's screen.
constexpr size_t kMostWideColumns = 10;
// Longer cells are sentences: they may take several lines.
constexpr size_t kLongestLine = 40;

}  // namespace

std::string RenderText(const Table& table) {
  std::vector<size_t> widths;
  for (const std::string& column : table.columns) widths.push_back(DisplayColumns(column));
  for (const auto& row : table.rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayColumns(row[i]));
  }
  std::string text = StrCat(table.title, "\n");
  const auto append_row = [&](const std::vector<std::string>& row) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - DisplayColumns(row[i]), ' ');
      StrAppend(&line, "  ", i < table.text_columns ? row[i] + pad : pad + row[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    StrAppend(&text, line, "\n");
  };
  append_row(table.columns);
  for (const auto& row : table.rows) append_row(row);
  return text;
}

std::string RenderTable(const Table& table) {
  std::string html =
      StrCat("<section>\n<h2>", EscapeHtml(table.title), "</h2>\n<div class=\"wide\"><table",
             table.columns.size() > kMostWideColumns ? " class=\"dense\"" : "", ">\n<thead><tr>");
  for (size_t i = 0; i < table.columns.size(); ++i) {
    StrAppend(&html, i < table.text_columns ? "<th class=\"text\">" : "<th>",
              EscapeHtml(table.columns[i]), "</th>");
  }
  html.append("</tr></thead>\n<tbody>\n");
  for (const auto& row : table.rows) {
    html.append("<tr>");
    for (size_t i = 0; i < row.size(); ++i) {
      std::string classes = i < table.text_columns ? "text" : "";
      if (DisplayColumns(row[i]) > kLongestLine) classes.append(" prose");
      if (row[i] == "met" || row[i] == "equal") classes.append(" good");
      if (row[i] == "MISSED" || row[i] == "DIFFERS") classes.append(" bad");
      StrAppend(&html, "<td class=\"", classes, "\">", EscapeHtml(row[i]), "</td>");
    }
    html.append("</tr>\n");
  }
  html.append("</tbody></table></div>\n</section>\n");
  return html;
}

}  // namespace bench
}  // namespace quire
