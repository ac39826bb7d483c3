#include "client/bench/html_report.h"

#include <gtest/gtest.h>

#include "client/bench/report_generator.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(HtmlReportTest, IsSelfContained) {
  std::vector<RunResult> runs;
  for (bool pipelined : {false, true}) {
    for (Config config : {Config::kA, Config::kB, Config::kC, Config::kD, Config::kE}) {
      runs.push_back(GoodRun(config, pipelined, kArticleRecords));
    }
  }
  runs[0].verified = false;
  runs[0].difference = "record 5 in key order (key '<5>') differs from the input";
  const std::string html = RenderHtml(runs, CheckRuns(runs));
  for (const char* outside :
       {"http://", "https://", "<script", "<link", "url(", "@import", "<img"}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
  EXPECT_NE(html.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_NE(html.find("402,047"), std::string::npos);
  EXPECT_NE(html.find("&lt;5&gt;"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"text bad\">MISSED</td>"), std::string::npos);
  EXPECT_NE(html.find("Checks missed: 1 of "), std::string::npos);
}

}  // namespace
}  // namespace bench
}  // namespace quire
