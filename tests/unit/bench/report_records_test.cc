#include "client/bench/report_records.h"

#include <gtest/gtest.h>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr char kBlock[] =
    "Process  Program $DATA01.MEASURE.FORMAT\n"
    "CPU 00 Pin 45 Interval 0000123\n"
    "Local System \\NODE1 From 17 Dec 2019, 7:37:29 For 32.5 Minutes\n"
    "------------ Processor -----------------------------------------------------\n"
    "Cpu-Busy-Time                    5.12 sec  Dispatches                  338,323 #\n";

TEST(ReportRecordsTest, KeyThenCsvTextBlankPadded) {
  ReportRecords records(MemoryBytes(kBlock), 60);
  std::string record;
  const absl::StatusOr<bool> more = records.Next(&record);
  ASSERT_TRUE(more.ok() && *more) << more.status();
  EXPECT_EQ(record, "00450000123,,,Cpu-Busy-Time,5.12,Dispatches,338.323,        ");
  EXPECT_EQ(record.size(), 60u);
  EXPECT_FALSE(*records.Next(&record));
}

TEST(ReportRecordsTest, TextThatDoesNotFitIs21WithItsLine) {
  const std::string text = std::string("\n\n") + kBlock;
  ReportRecords records(MemoryBytes(text), 51);
  std::string record;
  const absl::Status status = records.Next(&record).status();
  EXPECT_EQ(NumberOf(status), ErrorNumber::kIllegalCount);
  EXPECT_NE(ToStd(status.message()).find("line 3 makes 41 bytes"), std::string::npos) << status;
}

}  // namespace
}  // namespace bench
}  // namespace quire
