#include "client/measure/window.h"

#include "gmock/gmock.h"
#include "quire/error.h"
#include "tests/unit/measure/measure_fixture.h"

namespace quire {
namespace measure {
namespace {

EntitySpec Everything(Entity entity) {
  return *EntitySpec::Parse(entity, "*", {});
}

TEST(WindowTest, CountersAreEndLessStart) {
  const auto records = RecordsOfWindow(ArticleStart(), ArticleEnd(), Everything(Entity::kProcess));
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->size(), 1u);
  EXPECT_EQ(records->front().record.Value("CPU-BUSY-TIME"), 5120000);
  EXPECT_EQ(records->front().record.Value("CURRENT-PRIORITY-END"), 190);
  EXPECT_EQ(records->front().LengthMicros(), kRunEndUs - kRunStartUs);
}

TEST(WindowTest, WithoutAStartItIsTheVolumesWholeLife) {
  const auto records = RecordsOfWindow(std::nullopt, ArticleEnd(), Everything(Entity::kDisc));
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(records->front().record.Value("REQUESTS"), 135170);
  EXPECT_EQ(records->front().from_us, 0);
  EXPECT_EQ(records->front().LengthMicros(), 0);
  EXPECT_EQ(records->front().record.Value("STARTING-FREE-SPACE"), 0);
}

TEST(WindowTest, AnOpenHasItsOwnWindow) {
  MeasureSnapshot end = ArticleEnd();
  EntityRecord& open = end.volumes[0].records.back();
  open.opened_us = kRunStartUs + kMinuteUs;
  open.closed_us = kRunStartUs + 3 * kMinuteUs;
  for (const bool with_start : {false, true}) {
    std::optional<MeasureSnapshot> start;
    if (with_start) start = ArticleStart();
    const auto records = RecordsOfWindow(start, end, Everything(Entity::kDiscopen));
    ASSERT_TRUE(records.ok()) << records.status();
    ASSERT_EQ(records->size(), 1u);
    EXPECT_EQ(records->front().from_us, open.opened_us);
    EXPECT_EQ(records->front().LengthMicros(), 2 * kMinuteUs);
  }
}

TEST(WindowTest, ValuesOfAMomentGetTheirStart) {
  MeasureSnapshot start = ArticleStart();
  for (CounterValue& counter : start.volumes[0].records[2].counters) {
    if (counter.name == "ENDING-EOF") counter.value = 8192;
  }
  const auto files = RecordsOfWindow(start, ArticleEnd(), Everything(Entity::kDiskfile));
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->front().record.Value("STARTING-EOF"), 8192);
  EXPECT_EQ(files->front().record.Value("ENDING-EOF"), 278822912);
  const auto discs = RecordsOfWindow(start, ArticleEnd(), Everything(Entity::kDisc));
  EXPECT_EQ(discs->front().record.Value("STARTING-FREE-SPACE"), 12288000000);
}

TEST(WindowTest, RestartIsRefusedWithTheReason_R_C4) {
  MeasureSnapshot end = ArticleEnd();
  end.volumes[0].epoch = 4;
  const absl::Status status =
      RecordsOfWindow(ArticleStart(), end, Everything(Entity::kDisc)).status();
  EXPECT_EQ(NumberOf(status), ErrorNumber::kBadParameter);
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("restarted"));
  EXPECT_THAT(std::string(status.message()), testing::HasSubstr("$DATA01"));
}

TEST(WindowTest, VolumesNotAskedForDoNotMatter) {
  MeasureSnapshot start = ArticleStart();
  MeasureSnapshot end = ArticleEnd();
  for (MeasureSnapshot* snapshot : {&start, &end}) {
    snapshot->volumes.push_back(snapshot->volumes[0]);
    snapshot->volumes.back().volume = "$DATA02";
  }
  end.volumes.back().epoch = 9;
  EXPECT_TRUE(
      RecordsOfWindow(start, end, *EntitySpec::Parse(Entity::kDiscopen, "$DATA01.*.*", {})).ok());
  EXPECT_FALSE(RecordsOfWindow(start, end, Everything(Entity::kDiscopen)).ok());
}

TEST(WindowTest, SnapshotsThatDoNotFitAreRefused) {
  EXPECT_EQ(
      NumberOf(RecordsOfWindow(ArticleEnd(), ArticleStart(), Everything(Entity::kDisc)).status()),
      ErrorNumber::kBadParameter);
  EXPECT_EQ(
      NumberOf(
          RecordsOfWindow(ArticleStart(), MeasureSnapshot(), Everything(Entity::kDisc)).status()),
      ErrorNumber::kBadParameter);
  EXPECT_EQ(
      NumberOf(
          RecordsOfWindow(MeasureSnapshot(), ArticleEnd(), Everything(Entity::kDisc)).status()),
      ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace measure
}  // namespace quire
