#include "client/measure/selection.h"

#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {
namespace {

std::vector<WindowRecord> Opens() {
  std::vector<WindowRecord> records;
  for (int64_t requests : {5, 0, 70, 7}) {
    WindowRecord windowed;
    windowed.record = DiscopenRecord({{"REQUESTS", requests}, {"MAX-LOCKWAIT-TIME", requests * 2}});
    windowed.from_us = 100 + requests;
    windowed.to_us = 1000 + requests;
    records.push_back(std::move(windowed));
  }
  return records;
}

std::vector<int64_t> RequestsOf(const absl::StatusOr<std::vector<WindowRecord>>& records) {
  std::vector<int64_t> requests;
  EXPECT_TRUE(records.ok()) << records.status();
  if (!records.ok()) return requests;
  for (const WindowRecord& windowed : *records) {
    requests.push_back(windowed.record.Value("REQUESTS"));
  }
  return requests;
}

TEST(SelectionTest, WithoutOptionsNothingChanges) {
  EXPECT_THAT(RequestsOf(Select(Opens(), {})), testing::ElementsAre(5, 0, 70, 7));
}

TEST(SelectionTest, ByPutsTheHighestFirst) {
  ReportOptions options;
  options.by = "REQUESTS";
  EXPECT_THAT(RequestsOf(Select(Opens(), options)), testing::ElementsAre(70, 7, 5, 0));
}

TEST(SelectionTest, ZeroReportsCanBeLeftOut) {
  ReportOptions options;
  options.zero_reports = false;
  EXPECT_THAT(RequestsOf(Select(Opens(), options)), testing::ElementsAre(5, 70, 7));
}

TEST(SelectionTest, ValuesOfAMomentDoNotMakeAReport) {
  WindowRecord windowed;
  windowed.record = DiskfileRecord({{"ENDING-EOF", 4096}});
  ReportOptions options;
  options.zero_reports = false;
  EXPECT_TRUE(Select({windowed}, options)->empty());
}

TEST(SelectionTest, EveryComparison) {
  const std::pair<Comparison, std::vector<int64_t>> kCases[] = {
      {Comparison::kEqual, {7}},    {Comparison::kNotEqual, {5, 0, 70}},
      {Comparison::kLess, {5, 0}},  {Comparison::kAtMost, {5, 0, 7}},
      {Comparison::kGreater, {70}}, {Comparison::kAtLeast, {70, 7}},
  };
  for (const auto& [comparison, expected] : kCases) {
    ReportOptions options;
    options.condition = Condition{"REQUESTS", comparison, 7};
    EXPECT_EQ(RequestsOf(Select(Opens(), options)), expected);
  }
}

TEST(SelectionTest, TotalsComeLastAndAddUp) {
  ReportOptions options;
  options.totals = Totals::kInclude;
  auto records = Select(Opens(), options);
  EXPECT_THAT(RequestsOf(records), testing::ElementsAre(5, 0, 70, 7, 82));
  EXPECT_TRUE(records->back().is_total);
  EXPECT_EQ(records->back().added_up, 4u);
  EXPECT_EQ(records->back().record.Value("MAX-LOCKWAIT-TIME"), 140);  // the highest, not the sum
  EXPECT_EQ(records->back().from_us, 100);
  EXPECT_EQ(records->back().to_us, 1070);
  options.totals = Totals::kOnly;
  EXPECT_THAT(RequestsOf(Select(Opens(), options)), testing::ElementsAre(82));
  EXPECT_TRUE(Select({}, options)->empty());
}

TEST(SelectionTest, CoreNumbersAreNotAddedUp) {
  WindowRecord windowed;
  windowed.record = ArticleProcess();
  ReportOptions options;
  options.totals = Totals::kOnly;
  const auto records = Select({windowed, windowed}, options);
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(records->front().record.Value("DISPATCHES"), 2 * 338323);
  for (const CounterValue& counter : records->front().record.counters) {
    EXPECT_NE(counter.name, "IPU-NUM");
  }
}

TEST(SelectionTest, UnknownCountersAre22AndGetAHint) {
  ReportOptions options;
  options.by = "CACHE-HIT";
  const absl::Status status = Select(Opens(), options).status();
  EXPECT_EQ(NumberOf(status), ErrorNumber::kBadParameter);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("CACHE-HITS"));
  options.by.reset();
  options.condition = Condition{"READS", Comparison::kGreater, 0};
  EXPECT_FALSE(Select(Opens(), options).ok());
}

}  // namespace
}  // namespace measure
}  // namespace quire
