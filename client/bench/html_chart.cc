#include "client/bench/html_chart.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// Of the SVG's own coordinates; the page scales the picture to its width.
constexpr int kWidth = 760;
constexpr int kLeastLabelWidth = 170;
constexpr int kMostLabelWidth = 330;
constexpr int kLeastTextWidth = 110;  // after the longest bar
constexpr int kMostTextWidth = 260;
constexpr int kCharacterWidth = 7;  // about, of the page's 12-pixel text
constexpr int kLabelGap = 10;
constexpr int kBarHeight = 16;
constexpr int kBarGap = 3;
constexpr int kGroupGap = 12;
constexpr int kBaseline = 12;  // of text within a bar's height

int WidthOf(size_t characters, int least, int most) {
  return std::clamp(static_cast<int>(characters) * kCharacterWidth + kLabelGap, least, most);
}

}  // namespace

std::string EscapeHtml(std::string_view text) {
  std::string escaped;
  for (char c : text) {
    switch (c) {
      case '&':
        escaped.append("&amp;");
        break;
      case '<':
        escaped.append("&lt;");
        break;
      case '>':
        escaped.append("&gt;");
        break;
      case '"':
        escaped.append("&quot;");
        break;
      default:
        escaped.push_back(c);
    }
  }
  return escaped;
}

std::string RenderChart(const BarChart& chart) {
  double highest = 0;
  int height = 0;
  size_t longest_label = 0;
  size_t longest_text = 0;
  for (const BarGroup& group : chart.groups) {
    height += static_cast<int>(group.bars.size()) * (kBarHeight + kBarGap) + kGroupGap;
    longest_label = std::max(longest_label, group.label.size());
    for (const Bar& bar : group.bars) {
      highest = std::max(highest, bar.value);
      longest_text = std::max(longest_text, bar.text.size());
    }
  }
  const int label_width = WidthOf(longest_label, kLeastLabelWidth, kMostLabelWidth);
  const int text_width = WidthOf(longest_text, kLeastTextWidth, kMostTextWidth);
  const double scale = highest > 0 ? (kWidth - label_width - text_width) / highest : 0;

  std::string html = StrCat("<figure>\n<figcaption>", EscapeHtml(chart.title), "</figcaption>\n");
  if (chart.series.size() > 1) {
    html.append("<p class=\"legend\">");
    for (size_t i = 0; i < chart.series.size(); ++i) {
      StrAppend(&html, "<span><i class=\"series", i, "\"></i>", EscapeHtml(chart.series[i]),
                "</span>");
    }
    html.append("</p>\n");
  }
  StrAppend(&html, "<svg viewBox=\"0 0 ", kWidth, " ", height, "\" role=\"img\" aria-label=\"",
            EscapeHtml(chart.title), "\">\n");
  int y = kGroupGap / 2;
  for (const BarGroup& group : chart.groups) {
    const int bars_height = static_cast<int>(group.bars.size()) * (kBarHeight + kBarGap) - kBarGap;
    StrAppend(&html, "<text class=\"label\" x=\"", label_width - kLabelGap, "\" y=\"",
              y + bars_height / 2 + kBaseline - kBarHeight / 2, "\">", EscapeHtml(group.label),
              "</text>\n");
    for (const Bar& bar : group.bars) {
      const double width = std::max(bar.value * scale, 1.0);
      absl::StrAppendFormat(&html,
                            "<rect class=\"series%d\" x=\"%d\" y=\"%d\" width=\"%.1f\" "
                            "height=\"%d\" rx=\"2\"/>\n<text x=\"%.1f\" y=\"%d\">%s</text>\n",
                            bar.series, label_width, y, width, kBarHeight, label_width + width + 6,
                            y + kBaseline, EscapeHtml(bar.text));
      y += kBarHeight + kBarGap;
    }
    y += kGroupGap;
  }
  html.append("</svg>\n</figure>\n");
  return html;
}

}  // namespace bench
}  // namespace quire
