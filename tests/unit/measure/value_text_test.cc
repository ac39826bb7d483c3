#include "client/measure/value_text.h"

#include <limits>
#include <ostream>

#include "gtest/gtest.h"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {

void PrintTo(const PrintedValue& printed, std::ostream* out) {
  *out << printed.value << " " << printed.unit;
}

namespace {

using P = PrintedValue;

TEST(ValueTextTest, CountsHaveCommasAndFitIntoTenCharacters) {
  EXPECT_EQ(CountText(0), (P{"0", "#"}));
  EXPECT_EQ(CountText(999), (P{"999", "#"}));
  EXPECT_EQ(CountText(338323), (P{"338,323", "#"}));
  EXPECT_EQ(CountText(-1234), (P{"-1,234", "#"}));
  EXPECT_EQ(CountText(99999999), (P{"99,999,999", "#"}));
  EXPECT_EQ(CountText(100000000), (P{"100,000.00", "K"}));
  EXPECT_EQ(CountText(278822912), (P{"278,822.91", "K"}));
  EXPECT_EQ(CountText(1659700000), (P{"1,659.70", "M"}));
  EXPECT_EQ(CountText(12288000000), (P{"12,288.00", "M"}));
  EXPECT_EQ(CountText(999999999999), (P{"1,000.00", "G"}));
  EXPECT_EQ(CountText(std::numeric_limits<int64_t>::max()), (P{"9,223,372", "T"}));
  EXPECT_EQ(CountText(std::numeric_limits<int64_t>::min()), (P{"-9,223,372", "T"}));
}

TEST(ValueTextTest, TimesHaveTwoDecimals) {
  EXPECT_EQ(TimeText(5120000), (P{"5.12", "sec"}));
  EXPECT_EQ(TimeText(17030000), (P{"17.03", "sec"}));
  EXPECT_EQ(TimeText(9), (P{"9", "us"}));
  EXPECT_EQ(TimeText(10), (P{"0.01", "ms"}));
  EXPECT_EQ(TimeText(999990), (P{"999.99", "ms"}));
  EXPECT_EQ(TimeText(999995), (P{"1.00", "sec"}));
  EXPECT_EQ(TimeText(3599990000), (P{"3,599.99", "sec"}));
  EXPECT_EQ(TimeText(3599995000), (P{"1.00", "hr"}));
  EXPECT_EQ(TimeText(36 * 3600 * kSecondUs), (P{"1.50", "day"}));
  EXPECT_EQ(TimeText(14 * 24 * 3600 * kSecondUs), (P{"2.00", "wk"}));
  EXPECT_EQ(TimeText(std::numeric_limits<int64_t>::max()).unit, "wk");
  EXPECT_LE(TimeText(std::numeric_limits<int64_t>::max()).value.size(), kValueWidth + 3);
}

TEST(ValueTextTest, RatesArePerSecond) {
  EXPECT_EQ(RateText(135070, kMinuteUs), (P{"2,251.17", "/s"}));
  EXPECT_EQ(RateText(0, kMinuteUs), (P{"0.00", "/s"}));
  EXPECT_EQ(RateText(2000000000000, kSecondUs), (P{"2,000.00", "G/s"}));
}

TEST(ValueTextTest, BusyTimesAreShares) {
  EXPECT_EQ(PercentText(52488000, kMinuteUs), (P{"87.48", "%"}));
}

TEST(ValueTextTest, RateDependsOnTheKind) {
  const EntityRecord record = DiscopenRecord({{"REQUESTS-BLOCKED", 4}});
  const auto rate = [&](std::string name, CounterKind kind, std::string unit, int64_t value) {
    return CounterText({std::move(name), kind, std::move(unit), value}, record, true, kMinuteUs);
  };
  EXPECT_EQ(rate("REQUESTS", CounterKind::kIncrementing, "#", 600), (P{"10.00", "/s"}));
  EXPECT_EQ(rate("INPUT-BYTES", CounterKind::kAccumulating, "bytes", 120), (P{"2.00", "/s"}));
  EXPECT_EQ(rate("READ-TIME", CounterKind::kBusy, "us", 6000000), (P{"10.00", "%"}));
  EXPECT_EQ(rate("LOCKWAIT-TIME", CounterKind::kBusy, "us", 8000000), (P{"2.00", "sec"}));
  EXPECT_EQ(rate("MAX-LOCKWAIT-TIME", CounterKind::kMax, "us", 5000), (P{"5.00", "ms"}));
  EXPECT_EQ(rate("ENDING-EOF", CounterKind::kSnapshot, "bytes", 4096), (P{"4,096", "#"}));
}

TEST(ValueTextTest, DurationsHaveOneDecimal) {
  EXPECT_EQ(DurationText(kRunEndUs - kRunStartUs), "32.5 Minutes");
  EXPECT_EQ(DurationText(3500000), "3.5 Seconds");
  EXPECT_EQ(DurationText(0), "0.0 Seconds");
  EXPECT_EQ(DurationText(59940000), "59.9 Seconds");
  EXPECT_EQ(DurationText(59950000), "1.0 Minutes");
  EXPECT_EQ(DurationText(60 * kMinuteUs - 3 * kSecondUs), "1.0 Hours");
  EXPECT_EQ(DurationText(90 * kMinuteUs), "1.5 Hours");
}

TEST(ValueTextTest, HoursAreNotPadded) {
  EXPECT_EQ(MomentText(kRunStartUs, absl::UTCTimeZone()), "17 Dec 2019, 7:37:29");
}

}  // namespace
}  // namespace measure
}  // namespace quire
