#include "server/volume/control_point_pace.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(ControlPointPaceTest, SizesFollowTheDisc) {
  ControlPointPace pace(/*target_ms=*/100, /*most_bytes=*/128 * kMiB);
  const uint64_t first = pace.bytes();
  EXPECT_LT(first, 128 * kMiB);
  pace.Note(64 * kMiB, 64000);  // 1 MiB a millisecond
  EXPECT_NEAR(static_cast<double>(pace.bytes()), 100.0 * kMiB, kMiB);
  for (int i = 0; i < 20; ++i) pace.Note(64 * kMiB, 128000);
  EXPECT_NEAR(static_cast<double>(pace.bytes()), 50.0 * kMiB, kMiB);
  // One slow one does not say much.
  pace.Note(64 * kMiB, 1280000);
  EXPECT_GT(pace.bytes(), 35 * kMiB);
}

TEST(ControlPointPaceTest, HasBounds) {
  ControlPointPace pace(50, 128 * kMiB);
  pace.Note(64 * kMiB, 1);
  EXPECT_EQ(pace.bytes(), 128 * kMiB);
  for (int i = 0; i < 100; ++i) pace.Note(64 * kMiB, 1000000000);
  EXPECT_EQ(pace.bytes(), 16 * kMiB);
  ControlPointPace small(50, kMiB);
  EXPECT_EQ(small.bytes(), kMiB);
  small.Note(64 * kMiB, 1000000000);
  EXPECT_EQ(small.bytes(), kMiB);
}

TEST(ControlPointPaceTest, SmallOnesAndClocksThatStandTellNothing) {
  ControlPointPace pace(50, 128 * kMiB);
  const uint64_t first = pace.bytes();
  pace.Note(1000, 1000000);
  pace.Note(64 * kMiB, 0);
  EXPECT_EQ(pace.bytes(), first);
}

TEST(ControlPointPaceTest, WithoutATargetTheLimitAloneDecides) {
  ControlPointPace pace(0, 128 * kMiB);
  EXPECT_EQ(pace.bytes(), 128 * kMiB);
  pace.Note(64 * kMiB, 1000000000);
  EXPECT_EQ(pace.bytes(), 128 * kMiB);
}

}  // namespace
}  // namespace quire
