#include "client/bench/report_tables.h"

#include <gtest/gtest.h>

#include "client/bench/report_generator.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

std::vector<RunResult> Runs(uint64_t records) {
  return {GoodRun(Config::kA, false, records), GoodRun(Config::kC, false, records),
          GoodRun(Config::kA, true, records)};
}

const std::vector<std::string>* RowOf(const Table& table, const std::string& label) {
  for (const auto& row : table.rows) {
    if (row.front() == label) return &row;
  }
  return nullptr;
}

TEST(ReportTablesTest, EveryRowHasEveryColumn) {
  const std::vector<RunResult> runs = Runs(kArticleRecords);
  const std::vector<Table> tables = AllTables(runs, CheckRuns(runs));
  EXPECT_EQ(tables.size(), 6u);  // loads, DISCOPEN of A and C, PROCESS, DISC, checks
  for (const Table& table : tables) {
    EXPECT_FALSE(table.rows.empty()) << table.title;
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.title;
  }
}

TEST(ReportTablesTest, DiscopenStandsBesideTheArticle) {
  const Table table = DiscopenTable(Config::kA, Runs(kArticleRecords));
  EXPECT_EQ(table.columns, (std::vector<std::string>{"counter", "article", "model", "one at a time",
                                                     "difference", "pipelined", "difference"}));
  EXPECT_EQ(*RowOf(table, "Cache-Hits"),
            (std::vector<std::string>{"Cache-Hits", "402,047", "401,533", "401,533", "-0.13 %",
                                      "401,533", "-0.13 %"}));
  EXPECT_EQ((*RowOf(table, "INDEX LEVELS"))[4], "0 %");
  EXPECT_EQ((*RowOf(table, "Cache-Read-Misses"))[1], "");
}

TEST(ReportTablesTest, OtherSizesAreComparedWithTheModel) {
  const Table table = DiscopenTable(Config::kC, Runs(kQuickRecords));
  EXPECT_EQ(*RowOf(table, "Block-Splits"),
            (std::vector<std::string>{"Block-Splits", "6,790", "6,790", "0 %"}));
  EXPECT_EQ((*RowOf(ProcessTable(Runs(kQuickRecords)), "A"))[2], "");
}

TEST(ReportTablesTest, TextIsAligned) {
  EXPECT_EQ(RenderText(
                {.title = "T", .columns = {"name", "n"}, .rows = {{"a", "1,000"}, {"bcdefg", ""}}}),
            "T\n  name        n\n  a       1,000\n  bcdefg\n");
}

}  // namespace
}  // namespace bench
}  // namespace quire
