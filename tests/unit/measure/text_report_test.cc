// Covers the layouts of the four entities, too: discopen_report, diskfile_report, disc_report and
// process_report are seen through the golden texts.
#include "client/measure/text_report.h"

#include <algorithm>
#include <sstream>

#include "client/measure/selection.h"
#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {
namespace {

TextReportOptions Options(bool rate = false) {
  TextReportOptions options;
  options.rate = rate;
  options.time_zone = absl::UTCTimeZone();
  return options;
}

std::vector<WindowRecord> ArticleWindow(Entity entity) {
  auto records = RecordsOfWindow(ArticleStart(), ArticleEnd(), *EntitySpec::Parse(entity, "*", {}));
  EXPECT_TRUE(records.ok()) << records.status();
  return *std::move(records);
}

std::string Report(Entity entity, bool rate = false) {
  return TextReport(ArticleWindow(entity), Options(rate)).value();
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// The table of the published run A: values, order and columns.
TEST(TextReportTest, DiscopenIsTheArticlesTable) {
  const std::string report = Report(Entity::kDiscopen);
  EXPECT_THAT(
      report,
      testing::HasSubstr(
          "Local System \\QUIRE From 17 Dec 2019, 7:37:29 For 32.5 Minutes\n"
          "------------ Requests ------------------------------------------------------\n"
          "Lockwait-Time                              Requests                    135,070 #\n"
          "Max-Lockwait-Time                          Requests-Blocked\n"
          "Lock-Timeouts                              Lock-Bounces\n"
          "------------ Logical I/O ---------------------------------------------------\n"
          "Cache-Hits                    402,047 #    Cache-Write-Hits             68,035 #\n"
          "Block-Splits                   67,564 #    Cache-Write-Cleans          474,712 #\n"
          "Driver-Input-Calls            402,047 #    Driver-Output-Calls         542,747 #\n"
          "DBIO-Input-Calls                           DBIO-Output-Calls\n"
          "------------ SQL -----------------------------------------------------------\n"
          "SQL-Operation-Time\n"));
  ExpectGolden("meascom_discopen.txt", report);
}

TEST(TextReportTest, ProcessIsTheArticlesTable) {
  const std::string report = Report(Entity::kProcess);
  EXPECT_THAT(
      report,
      testing::HasSubstr(
          "------------ Processor -----------------------------------------------------\n"
          "Cpu-Busy-Time                    5.12 sec  Dispatches                  338,323 #\n"
          "Ready-Time                      17.03 sec  Comp-Traps\n"));
  ExpectGolden("meascom_process.txt", report);
}

TEST(TextReportTest, GoldenDisc) {
  ExpectGolden("meascom_disc.txt", Report(Entity::kDisc));
}

TEST(TextReportTest, GoldenDiskfile) {
  ExpectGolden("meascom_diskfile.txt", Report(Entity::kDiskfile));
}

TEST(TextReportTest, GoldenRates) {
  ExpectGolden("meascom_rate.txt", Report(Entity::kDiscopen, true) + "\n" +
                                       Report(Entity::kProcess, true) + "\n" +
                                       Report(Entity::kDisc, true));
}

TEST(TextReportTest, GoldenTotals) {
  std::vector<WindowRecord> records = ArticleWindow(Entity::kDiscopen);
  records.push_back(records.front());
  records.back().record.open_id = 42;
  records.back().record.closed_us = kRunEndUs;
  ReportOptions options;
  options.totals = Totals::kInclude;
  const auto selected = Select(std::move(records), options);
  ExpectGolden("meascom_totals.txt", TextReport(*selected, Options()).value());
}

TEST(TextReportTest, NoLineEndsInBlanksAndRulesHave76Columns) {
  for (Entity entity : {Entity::kDisc, Entity::kDiscopen, Entity::kDiskfile, Entity::kProcess}) {
    for (const std::string& line : Lines(Report(entity))) {
      ASSERT_FALSE(line.empty());
      EXPECT_NE(line.back(), ' ') << line;
      EXPECT_LE(line.size(), 82u) << line;  // the second unit starts at column 80
      if (line.starts_with("------------ ")) {
        EXPECT_EQ(line.size(), 76u) << line;
      }
    }
  }
}

TEST(TextReportTest, MissesHaveARowWhenThereAreAny) {
  WindowRecord windowed;
  windowed.record = DiscopenRecord({{"CACHE-WRITE-MISSES", 5}});
  windowed.from_us = kRunStartUs;
  windowed.to_us = kRunEndUs;
  EXPECT_THAT(TextReport({windowed}, Options()).value(),
              testing::HasSubstr("\nCache-Read-Misses                          "
                                 "Cache-Write-Misses                5 #\n------------ SQL"));
  EXPECT_THAT(Report(Entity::kDiscopen), testing::Not(testing::HasSubstr("Misses")));
}

TEST(TextReportTest, ACoreNumberIsPrintedWhenZero) {
  WindowRecord windowed;
  windowed.record = ProcessRecord({});
  EXPECT_THAT(TextReport({windowed}, Options()).value(),
              testing::HasSubstr("\nIpu-Num                             0 #\n"));
}

TEST(TextReportTest, CountersOfNewerServersAreSeen) {
  WindowRecord windowed;
  windowed.record = DiscRecord({});
  windowed.record.counters.push_back({"NEW-A", CounterKind::kIncrementing, "#", 5});
  windowed.record.counters.push_back({"NEW-ZERO", CounterKind::kIncrementing, "#", 0});
  windowed.record.counters.push_back({"NEW-B", CounterKind::kBusy, "us", 5000});
  const std::string report = TextReport({windowed}, Options()).value();
  EXPECT_THAT(report, testing::HasSubstr("------------ Other ---"));
  EXPECT_EQ(Lines(report).back(),
            "New-A                               5 #    New-B                          5.00 ms");
}

TEST(TextReportTest, AWindowWithoutStartSaysSo) {
  WindowRecord windowed;
  windowed.record = DiscRecord({});
  windowed.to_us = kRunStartUs;
  EXPECT_THAT(TextReport({windowed}, Options()).value(),
              testing::HasSubstr("\nLocal System \\QUIRE From Start Of Volume To 17 Dec 2019, "
                                 "7:37:29\n"));
  EXPECT_EQ(NumberOf(TextReport({windowed}, Options(true)).status()), ErrorNumber::kBadParameter);
}

TEST(TextReportTest, LabelsKeepTheirAbbreviations) {
  EXPECT_EQ(CounterLabel("CACHE-WRITE-CLEANS"), "Cache-Write-Cleans");
  EXPECT_EQ(CounterLabel("DBIO-INPUT-CALLS"), "DBIO-Input-Calls");
  EXPECT_EQ(CounterLabel("ENDING-EOF"), "Ending-EOF");
  EXPECT_EQ(CounterLabel("SQL-OPERATION-TIME"), "SQL-Operation-Time");
}

}  // namespace
}  // namespace measure
}  // namespace quire
