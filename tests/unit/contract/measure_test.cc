#include "quire/measure.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

using testing::HasSubstr;

EntityRecord Open(uint64_t open_id, int64_t requests, int64_t closed_us = 0) {
  EntityRecord record;
  record.entity = Entity::kDiscopen;
  record.volume = "$DATA01";
  record.file = {"", "$DATA01", "S", "F"};
  record.open_id = open_id;
  record.opened_us = 1;
  record.closed_us = closed_us;
  record.counters = {{"REQUESTS", CounterKind::kIncrementing, "#", requests},
                     {"QUEUE-MAX", CounterKind::kMax, "#", requests * 2},
                     {"EOF", CounterKind::kSnapshot, "bytes", requests * 10}};
  return record;
}

MeasureSnapshot Snapshot(uint64_t epoch, int64_t time_us, std::vector<EntityRecord> records) {
  return {{{"$DATA01", epoch, time_us, std::move(records)}}};
}

TEST(MeasureTest, ValuesOfTheWireStay) {
  EXPECT_EQ(static_cast<int>(Entity::kDiscopen), 1);
  EXPECT_EQ(static_cast<int>(Entity::kDiskfile), 2);
  EXPECT_EQ(static_cast<int>(Entity::kDisc), 3);
  EXPECT_EQ(static_cast<int>(Entity::kProcess), 4);
  EXPECT_EQ(static_cast<int>(CounterKind::kIncrementing), 1);
  EXPECT_EQ(static_cast<int>(CounterKind::kAccumulating), 2);
  EXPECT_EQ(static_cast<int>(CounterKind::kBusy), 3);
  EXPECT_EQ(static_cast<int>(CounterKind::kMax), 4);
  EXPECT_EQ(static_cast<int>(CounterKind::kSnapshot), 5);
}

TEST(MeasureTest, DifferenceSubtractsCountsAndShowsLevelsAsTheyEnd) {
  const auto window = Difference(Snapshot(1, 100, {Open(7, 30)}), Snapshot(1, 200, {Open(7, 50)}));
  ASSERT_TRUE(window.ok()) << window.status();
  const VolumeSnapshot& volume = window->volumes.at(0);
  EXPECT_EQ(volume.time_us, 200);
  const EntityRecord& record = volume.records.at(0);
  EXPECT_EQ(record.Value("REQUESTS"), 20);
  EXPECT_EQ(record.Value("QUEUE-MAX"), 100);
  EXPECT_EQ(record.Value("EOF"), 500);
  EXPECT_EQ(record.Value("NO-SUCH"), 0);
}

TEST(MeasureTest, RecordsNewInTheWindowCountFromZero) {
  const auto window = Difference(Snapshot(1, 100, {}), Snapshot(1, 200, {Open(8, 50)}));
  EXPECT_EQ(window->volumes.at(0).records.at(0).Value("REQUESTS"), 50);
}

TEST(MeasureTest, OpensClosedBeforeTheWindowAreLeftOut) {  // R-C4
  const auto window = Difference(Snapshot(1, 100, {Open(1, 5, 90), Open(2, 5)}),
                                 Snapshot(1, 200, {Open(1, 5, 90), Open(2, 9, 150)}));
  ASSERT_EQ(window->volumes.at(0).records.size(), 1U);
  EXPECT_EQ(window->volumes.at(0).records[0].open_id, 2U);
  EXPECT_EQ(window->volumes.at(0).records[0].Value("REQUESTS"), 4);
}

TEST(MeasureTest, WindowOverARestartIsRefusedWithTheReason) {  // R-C4
  const auto window = Difference(Snapshot(4, 100, {}), Snapshot(5, 200, {}));
  EXPECT_EQ(NumberOf(window.status()), ErrorNumber::kBadParameter);
  EXPECT_THAT(Describe(window.status()), HasSubstr("$DATA01 was restarted"));
}

TEST(MeasureTest, VolumeMissingFromTheFirstSnapshotIsRefused) {
  const auto window = Difference(MeasureSnapshot(), Snapshot(5, 200, {}));
  EXPECT_EQ(NumberOf(window.status()), ErrorNumber::kBadParameter);
  EXPECT_THAT(Describe(window.status()), HasSubstr("$DATA01"));
  // One that is gone from the second is no obstacle.
  EXPECT_TRUE(Difference(Snapshot(5, 200, {}), MeasureSnapshot()).ok());
}

TEST(MeasureTest, SameFileOfAnotherOpenIsAnotherRecord) {
  const auto window =
      Difference(Snapshot(1, 100, {Open(1, 30)}), Snapshot(1, 200, {Open(1, 31), Open(2, 7)}));
  EXPECT_EQ(window->volumes.at(0).records.at(0).Value("REQUESTS"), 1);
  EXPECT_EQ(window->volumes.at(0).records.at(1).Value("REQUESTS"), 7);
}

TEST(MeasureTest, SumAddsCountsAndTakesTheHighestMaximum) {
  const EntityRecord sum = Sum({Open(1, 3), Open(2, 10), Open(3, 4)});
  EXPECT_EQ(sum.entity, Entity::kDiscopen);
  EXPECT_EQ(sum.Value("REQUESTS"), 17);
  EXPECT_EQ(sum.Value("QUEUE-MAX"), 20);
  EXPECT_EQ(sum.Value("EOF"), 170);
  EXPECT_TRUE(Sum({}).counters.empty());
}

}  // namespace
}  // namespace quire
