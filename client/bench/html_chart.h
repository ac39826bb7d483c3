// Horizontal bar charts as inline SVG. Colours come from the page's style sheet (classes series0,
// series1, …), so that light and dark need no second picture.
#ifndef QUIRE_CLIENT_BENCH_HTML_CHART_H_
#define QUIRE_CLIENT_BENCH_HTML_CHART_H_

#include <string>
#include <string_view>
#include <vector>

namespace quire {
namespace bench {

struct Bar {
  size_t series = 0;  // index into BarChart::series
  double value = 0;   // >= 0
  std::string text;   // printed after the bar
};

struct BarGroup {
  std::string label;
  std::vector<Bar> bars;
};

struct BarChart {
  std::string title;
  std::vector<std::string> series;  // names for the legend; one: no legend
  std::vector<BarGroup> groups;
};

// "&", "<", ">" and quotes as HTML writes them.
std::string EscapeHtml(std::string_view text);
// A <figure> with caption, legend and SVG.
std::string RenderChart(const BarChart& chart);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_HTML_CHART_H_
