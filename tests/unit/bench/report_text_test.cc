#include "client/bench/report_text.h"

#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

TEST(ReportTextTest, RulesAre76Wide) {
  for (const char* title : {"Processor", "Requests", "Logical I/O", "SQL"}) {
    std::string rule;
    AppendRule(title, &rule);
    EXPECT_EQ(rule.size(), 77u) << rule;
    EXPECT_EQ(rule.substr(0, 13), "------------ ");
  }
}

TEST(ReportTextTest, RowsStandOnTheGrid) {
  std::string row;
  AppendRow({"Cpu-Busy-Time", "5.12", "sec"}, {"Dispatches", "338,323", "#"}, &row);
  EXPECT_EQ(row,
            "Cpu-Busy-Time                    5.12 sec  Dispatches                  338,323 #\n");
  row.clear();
  AppendRow({"Launch-Wait-Time", "", ""}, {"Launches", "", ""}, &row);
  EXPECT_EQ(row, "Launch-Wait-Time                           Launches\n");
  row.clear();
  AppendRow({"SQL-Operation-Time", "", ""}, {}, &row);
  EXPECT_EQ(row, "SQL-Operation-Time\n");
}

TEST(ReportTextTest, Numbers) {
  EXPECT_EQ(WithThousands(0), "0");
  EXPECT_EQ(WithThousands(1000), "1,000");
  EXPECT_EQ(WithThousands(12345678), "12,345,678");
  EXPECT_EQ(Hundredths(5), "0.05");
  EXPECT_EQ(Hundredths(1703), "17.03");
}

}  // namespace
}  // namespace bench
}  // namespace quire
