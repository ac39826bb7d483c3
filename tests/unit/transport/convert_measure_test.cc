#include "client/transport/convert_measure.h"

#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

TEST(ConvertMeasureTest, SnapshotRoundTrips) {
  EntityRecord record;
  record.entity = Entity::kDiscopen;
  record.volume = "$DATA01";
  record.file = FileName{"", "$DATA01", "SUB", "FILE"};
  record.open_id = 1;
  record.opener = "bench";
  record.opened_us = 2;
  record.closed_us = 3;
  record.counters = {{"REQUESTS", CounterKind::kIncrementing, "#", 4},
                     {"DISC-QUEUE-MAX", CounterKind::kMax, "#", -5}};
  MeasureSnapshot snapshot;
  snapshot.volumes.push_back({"$DATA01", 6, 7, {record}});
  v1::SnapshotResponse message;
  ToProto(snapshot, &message);
  const absl::StatusOr<MeasureSnapshot> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  ASSERT_EQ(received->volumes.size(), 1u);
  EXPECT_EQ(received->volumes[0].epoch, 6u);
  EXPECT_EQ(received->volumes[0].time_us, 7);
  const EntityRecord& one = received->volumes[0].records.at(0);
  EXPECT_EQ(one.entity, Entity::kDiscopen);
  EXPECT_EQ(one.file, record.file);
  EXPECT_EQ(one.open_id, 1u);
  EXPECT_EQ(one.opener, "bench");
  EXPECT_EQ(one.closed_us, 3);
  EXPECT_EQ(one.Value("REQUESTS"), 4);
  EXPECT_EQ(one.Value("DISC-QUEUE-MAX"), -5);
  EXPECT_EQ(one.counters[1].kind, CounterKind::kMax);
}

// R-A4: unknown enumerators are 22.
TEST(ConvertMeasureTest, RA4UnknownEnumeratorsAre22) {
  v1::SnapshotResponse message;
  v1::EntityRecord* record = message.add_volumes()->add_records();
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
  record->set_entity(v1::ENTITY_DISC);
  EXPECT_TRUE(FromProto(message).ok());
  record->add_counters()->set_kind(static_cast<v1::CounterKind>(6));
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace quire
