#include "client/bench/csv_line.h"

#include <gtest/gtest.h>

#include <memory>

#include "client/bench/byte_source.h"
#include "client/bench/report_reader.h"

namespace quire {
namespace bench {
namespace {

constexpr char kHeading[] =
    "Process  Program $DATA01.MEASURE.FORMAT\n"
    "CPU 00 Pin 45 Interval 0000123\n"
    "Local System \\NODE1 From 17 Dec 2019, 7:37:29 For 32.5 Minutes\n"
    "------------ Processor -----------------------------------------------------\n";

std::string LineOf(const std::string& text) {
  ReportReader reader(MemoryBytes(text));
  ReportBlock block;
  const absl::StatusOr<bool> read = reader.Next(&block);
  EXPECT_TRUE(read.ok() && *read) << read.status();
  std::string line;
  AppendCsvLine(block, &line);
  return line;
}

TEST(CsvLineTest, TheArticlesFirstLine) {
  EXPECT_EQ(
      LineOf(std::string(kHeading) +
             "Cpu-Busy-Time                    5.12 sec  Dispatches                  338,323 #\n"
             "Ready-Time                      17.03 sec  Comp-Traps                        1 #\n"
             "Launch-Wait-Time\n"),
      ",,,Cpu-Busy-Time,5.12,Dispatches,338.323,Ready-Time,17.03,Comp-Traps,1,,,,");
}

TEST(CsvLineTest, TheArticlesSecondLine) {
  EXPECT_EQ(
      LineOf(std::string(kHeading) +
             "Cpu-Busy-Time                    3.88 sec  Dispatches                    6,245 #\n"
             "Ready-Time                       1.10 sec  Comp-Traps                        1 #\n"
             "Launch-Wait-Time                           Launches\n"),
      ",,,Cpu-Busy-Time,3.88,Dispatches,6.245,Ready-Time,1.10,Comp-Traps,1,,,,,,,");
}

TEST(CsvLineTest, EveryThousandsCommaBecomesAFullStop) {
  EXPECT_EQ(LineOf(std::string(kHeading) + "Sent-Bytes  1,234,567 #\n"),
            ",,,Sent-Bytes,1.234.567,");
}

TEST(CsvLineTest, BlankItemsInTheMiddleGiveEmptyFields) {
  EXPECT_EQ(LineOf(std::string(kHeading) + "Vsems    Ipu-Switches   1 #\n"),
            ",,,,,,Ipu-Switches,1,");
}

}  // namespace
}  // namespace bench
}  // namespace quire
