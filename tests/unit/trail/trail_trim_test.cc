#include "server/trail/trail_trim.h"

#include <gtest/gtest.h>

#include <vector>

#include "server/trail/trail_format.h"
#include "tests/unit/trail/trail_test_support.h"

namespace quire {
namespace {

// Ten batches of three records over two segments: LSN 1 to 30, finished at 1,000, 2,000 … us.
class TrailTrimTest : public testing::TestWithParam<DeviceKind> {
 protected:
  static constexpr int kBatches = 10;
  static constexpr int kRecords = 3;

  void SetUp() override {
    device_ = *medium_.Open();
    for (const uint64_t segment : {1, 2}) {
      QUIRE_ASSERT_OK(device_->Create(segment, kMinSegmentBytes));
    }
    TrailBatch batch;
    for (int i = 0; i < kBatches; ++i) {
      batch.Clear();
      for (int r = 0; r < kRecords; ++r) {
        batch.Add({.kind = TrailRecordKind::kCommand, .file = 1, .block = 0, .payload = "x"});
      }
      const bool second = i >= kBatches / 2;
      const uint64_t offset = static_cast<uint64_t>(i % (kBatches / 2)) * kTrailBlockBytes;
      const absl::Span<const char> bytes =
          batch.Finish({.volume_id = kTestVolumeId,
                        .epoch = second ? uint64_t{2} : uint64_t{1},
                        .segment = second ? uint64_t{2} : uint64_t{1},
                        .offset = offset,
                        .first_lsn = static_cast<Lsn>(i * kRecords + 1),
                        .time_us = (i + 1) * 1000});
      QUIRE_ASSERT_OK(device_->WriteDurably(second ? 2 : 1, offset, bytes));
    }
  }

  Lsn LastOnDisc() {
    const auto content =
        ReplayTrail(*device_, kTestVolumeId, 0,
                    [](Lsn, absl::Span<const TrailRecord>) { return absl::OkStatus(); });
    EXPECT_TRUE(content.ok()) << content.status();
    return content.ok() ? content->last_lsn : 0;
  }

  TestMedium medium_{GetParam()};
  std::unique_ptr<TrailDevice> device_;
};

TEST_P(TrailTrimTest, ToAnLsnTakesWholeBatchesOnly) {
  const auto end = TrimTrail(*device_, kTestVolumeId, 0, {.lsn = 11});
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(end->last_lsn, 9u);
  EXPECT_EQ(end->time_us, 3000);
  EXPECT_EQ(end->batches, 3u);
  EXPECT_TRUE(end->trimmed);
  EXPECT_EQ(end->epoch, 2u) << "also of what was dropped";
  EXPECT_EQ(LastOnDisc(), 9u);
  EXPECT_EQ(*device_->List(), std::vector<uint64_t>{1});
}

TEST_P(TrailTrimTest, ToATimeTakesWhatWasFinishedByThen) {
  const auto end = TrimTrail(*device_, kTestVolumeId, 0, {.time_us = 7999});
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(end->last_lsn, 21u);
  EXPECT_EQ(end->time_us, 7000);
  EXPECT_EQ(LastOnDisc(), 21u);
  EXPECT_EQ(device_->List()->size(), 2u);
}

TEST_P(TrailTrimTest, WithoutALimitChangesNothing) {
  const auto end = TrimTrail(*device_, kTestVolumeId, 6, {});
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(end->last_lsn, 30u);
  EXPECT_EQ(end->batches, 8u);
  EXPECT_FALSE(end->trimmed);
  EXPECT_EQ(LastOnDisc(), 30u);
}

TEST_P(TrailTrimTest, EveryLsnGivesThatPrefix) {
  for (Lsn lsn = kBatches * kRecords; lsn >= kRecords; --lsn) {
    const auto end = TrimTrail(*device_, kTestVolumeId, 0, {.lsn = lsn});
    ASSERT_TRUE(end.ok()) << end.status();
    EXPECT_EQ(end->last_lsn, lsn / kRecords * kRecords);
    EXPECT_EQ(LastOnDisc(), end->last_lsn);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, TrailTrimTest,
                         testing::Values(DeviceKind::kFdatasync, DeviceKind::kSimulated),
                         DeviceKindName);

}  // namespace
}  // namespace quire
