#include "client/bench/page/result_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "client/bench/commands.h"
#include "client/bench/text_file.h"
#include "client/bench/work_folder.h"

namespace quire {
namespace bench {
namespace {

using testing::HasSubstr;
using testing::Not;

ResultPage SomePage() {
  ResultPage page("quire-bench test", "3 records");
  page.AddGoal({.what = "fast", .asked = ">= 2", .got = "2.5", .met = true});
  page.AddBars({.title = "Reads",
                .unit = "records/s",
                .bars = {{.label = "quire", .value = SpreadOf({100, 200, 300}), .ours = true},
                         {.label = "other <1>", .value = SpreadOf({50}), .note = "cold"}}});
  page.AddCurves({.title = "Growth",
                  .x_label = "records",
                  .y_label = "us",
                  .logarithmic_x = true,
                  .curves = {{"insert", {{10, SpreadOf({1})}, {1000, SpreadOf({2})}}},
                             {"read", {{10, SpreadOf({3})}}}}});
  page.AddTable({.title = "Table", .columns = {"a", "b"}, .rows = {{"x", "1"}}});
  page.AddNote("A note & more.");
  return page;
}

TEST(ResultPageTest, TextHasEverything) {
  const std::string text = RenderPageText(SomePage());
  EXPECT_THAT(text, HasSubstr("quire-bench test: 3 records"));
  EXPECT_THAT(text, HasSubstr("fast"));
  EXPECT_THAT(text, HasSubstr("met"));
  EXPECT_THAT(text, HasSubstr("Reads, records/s"));
  EXPECT_THAT(text, HasSubstr("other <1>"));
  EXPECT_THAT(text, HasSubstr("cold"));
  EXPECT_THAT(text, HasSubstr("1,000"));
  EXPECT_THAT(text, HasSubstr("A note & more."));
}

TEST(ResultPageTest, LongCellsBreakAndManyColumnsStandCloser) {
  Table table{.title = "T", .columns = {"a", "b"}, .rows = {{"short", "1"}}};
  EXPECT_THAT(RenderTable(table), Not(HasSubstr("prose")));
  EXPECT_THAT(RenderTable(table), Not(HasSubstr("dense")));
  table.rows.push_back({std::string(41, 'x'), "2"});
  EXPECT_THAT(RenderTable(table), HasSubstr("<td class=\"text prose\">xxx"));
  table.columns = std::vector<std::string>(11, "c");
  EXPECT_THAT(RenderTable(table), HasSubstr("<table class=\"dense\">"));
}

TEST(ResultPageTest, HtmlEscapesAndDrawsInProportion) {
  const std::string html = RenderPageHtml(SomePage());
  EXPECT_THAT(html, HasSubstr("other &lt;1&gt;"));
  EXPECT_THAT(html, HasSubstr("A note &amp; more."));
  EXPECT_THAT(html, HasSubstr("<rect class=\"series0\""));
  EXPECT_THAT(html, HasSubstr("<rect class=\"series2\""));
  EXPECT_THAT(html, HasSubstr("<polyline class=\"curve0\""));
  EXPECT_THAT(html, Not(HasSubstr("nan")));
  EXPECT_THAT(html, HasSubstr("</html>"));
}

TEST(ResultPageTest, CurvesWithoutPointsAreNoError) {
  ResultPage page("t", "l");
  page.AddCurves({.title = "c", .x_label = "x", .y_label = "y", .curves = {{"none", {}}}});
  page.AddCurves({.title = "one",
                  .x_label = "x",
                  .y_label = "y",
                  .logarithmic_x = true,
                  .curves = {{"point", {{5, SpreadOf({0})}}}}});
  EXPECT_THAT(RenderPageHtml(page), Not(HasSubstr("nan")));
  EXPECT_THAT(RenderPageHtml(page), Not(HasSubstr("inf")));
}

TEST(ResultPageTest, JsonHasPlainNumbers) {
  const nlohmann::json page = nlohmann::json::parse(RenderPageJson(SomePage()));
  EXPECT_EQ(page["goals"][0]["met"], true);
  EXPECT_EQ(page["sections"][0]["bars"][0]["median"], 200);
  EXPECT_EQ(page["sections"][0]["bars"][0]["rounds"], 3);
  EXPECT_EQ(page["sections"][1]["curves"][0]["points"][1]["x"], 1000);
  EXPECT_EQ(page["sections"][2]["rows"][0][1], "1");
}

TEST(ResultPageTest, GoalsThatWereNotMeasuredAreNotMissed) {
  ResultPage page = SomePage();
  page.AddGoal({.what = "far", .asked = "1", .got = "no server", .measured = false});
  EXPECT_TRUE(page.GoalsMet());
  EXPECT_THAT(RenderPageText(page), HasSubstr("not measured"));
  EXPECT_TRUE(nlohmann::json::parse(RenderPageJson(page))["goals"][1]["met"].is_null());
  page.AddGoal({.what = "slow", .asked = "1", .got = "0", .met = false});
  EXPECT_FALSE(page.GoalsMet());
}

TEST(ResultPageTest, PublishWritesFilesAndTellsOfMissedGoals) {
  const absl::StatusOr<WorkFolder> folder = WorkFolder::Make("", /*keep=*/false);
  ASSERT_TRUE(folder.ok());
  ResultPage page = SomePage();
  const PublishOptions options = {.json = folder->path() + "/new/page.json",
                                  .html = folder->path() + "/new/page.html",
                                  .strict = true};
  EXPECT_EQ(Publish(page, options).value(), kExitDone);
  EXPECT_TRUE(std::filesystem::exists(options.json));
  EXPECT_TRUE(std::filesystem::exists(options.html));
  page.AddGoal({.what = "slow", .asked = "1", .got = "0", .met = false});
  EXPECT_EQ(Publish(page, options).value(), kExitMissed);
  EXPECT_EQ(Publish(page, {}).value(), kExitDone);
  EXPECT_FALSE(Publish(page, {.json = "/proc/no/such/folder"}).ok());
}

}  // namespace
}  // namespace bench
}  // namespace quire
