#include "client/bench/html_chart.h"

#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

TEST(HtmlChartTest, EscapesMarkup) {
  EXPECT_EQ(EscapeHtml("a<b & \"c\">"), "a&lt;b &amp; &quot;c&quot;&gt;");
}

TEST(HtmlChartTest, BarsAreInProportion) {
  const std::string svg = RenderChart({.title = "T",
                                       .series = {"one", "two"},
                                       .groups = {{"g", {{0, 240, "240"}, {1, 60, "60"}}}}});
  EXPECT_NE(svg.find("width=\"480.0\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("width=\"120.0\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("class=\"legend\""), std::string::npos);
}

TEST(HtmlChartTest, NothingToDrawIsNoDivisionByZero) {
  const std::string svg =
      RenderChart({.title = "T", .series = {"one"}, .groups = {{"g", {{0, 0, "0"}}}}});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  EXPECT_EQ(svg.find("legend"), std::string::npos);
}

}  // namespace
}  // namespace bench
}  // namespace quire
