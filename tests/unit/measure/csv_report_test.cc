#include "client/measure/csv_report.h"

#include "gtest/gtest.h"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {
namespace {

std::vector<WindowRecord> Records() {
  WindowRecord known;
  known.record = ArticleOpen();
  known.record.opener = "say \"hi\", twice";
  known.from_us = kRunStartUs;
  known.to_us = kRunEndUs;
  WindowRecord total = known;
  total.is_total = true;
  total.record = Sum({known.record});
  total.from_us = 0;
  return {known, total};
}

TEST(CsvReportTest, GoldenOpenAndTotal) {
  ExpectGolden("meascom_discopen.csv", CsvReport(Records()));
}

TEST(CsvReportTest, FieldsAreQuotedAsRfc4180Says) {
  EXPECT_EQ(CsvField("plain text"), "plain text");
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("say \"hi\""), "\"say \"\"hi\"\"\"");
  EXPECT_EQ(CsvField("two\nlines"), "\"two\nlines\"");
}

TEST(CsvReportTest, CountersARecordLacksAreEmpty) {
  std::vector<WindowRecord> records = Records();
  records[1].record.counters = {{"NEW-COUNTER", CounterKind::kIncrementing, "#", 5}};
  const std::string report = CsvReport(records);
  const std::string last = report.substr(report.rfind('\n', report.size() - 2) + 1);
  EXPECT_EQ(last.substr(last.size() - 4), ",,5\n");
}

TEST(CsvReportTest, WithoutRecordsThereIsTheHeader) {
  EXPECT_EQ(CsvReport({}),
            "entity,row,volume,file,open_id,opener,opened_us,closed_us,from_us,to_us\n");
}

}  // namespace
}  // namespace measure
}  // namespace quire
