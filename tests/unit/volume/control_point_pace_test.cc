#include "server/volume/control_point_pace.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

// Changes of blocks of 4096 bytes.
Dirty Bytes(uint64_t bytes) {
  return {bytes, bytes / 4096};
}

constexpr Dirty kLimits = {256 * kMiB, 100000};
constexpr bool kBulk = true;

// Dirty at which changes wait.
uint64_t MostMebibytes(const ControlPointPace& pace, const Dirty& flush, int64_t micros,
                       bool bulk) {
  uint64_t mebibytes = 0;
  while (!pace.Outrun(flush, Bytes(mebibytes * kMiB), kLimits, micros, bulk)) ++mebibytes;
  return mebibytes;
}

TEST(ControlPointPaceTest, SizesFollowTheDisc) {
  ControlPointPace pace(/*target_ms=*/100, /*limit_bytes=*/256 * kMiB);
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
  ControlPointPace pace(50, 256 * kMiB);
  pace.Note(64 * kMiB, 1);
  EXPECT_EQ(pace.bytes(), 128 * kMiB);
  for (int i = 0; i < 100; ++i) pace.Note(64 * kMiB, 1000000000);
  EXPECT_EQ(pace.bytes(), 16 * kMiB);
  ControlPointPace small(50, 2 * kMiB);
  EXPECT_EQ(small.bytes(), kMiB);
  small.Note(64 * kMiB, 1000000000);
  EXPECT_EQ(small.bytes(), kMiB);
}

TEST(ControlPointPaceTest, SmallOnesAndClocksThatStandTellNothing) {
  ControlPointPace pace(50, 256 * kMiB);
  const uint64_t first = pace.bytes();
  pace.Note(1000, 1000000);
  pace.Note(64 * kMiB, 0);
  EXPECT_EQ(pace.bytes(), first);
}

TEST(ControlPointPaceTest, WithoutATargetTheLimitAloneDecides) {
  ControlPointPace pace(0, 256 * kMiB);
  EXPECT_EQ(pace.bytes(), 128 * kMiB);
  pace.Note(64 * kMiB, 1000000000);
  EXPECT_EQ(pace.bytes(), 128 * kMiB);
}

TEST(ControlPointPaceTest, ChangesGoThroughAtTheRateOfTheDisc) {
  ControlPointPace pace(0, 256 * kMiB);
  pace.Note(100 * kMiB, 100000);  // 1 MiB a millisecond
  const Dirty flush = Bytes(100 * kMiB);
  EXPECT_FALSE(pace.Outrun(flush, flush, kLimits, 0, kBulk));  // some at once
  EXPECT_TRUE(pace.Outrun(flush, Bytes(110 * kMiB), kLimits, 0, kBulk));
  EXPECT_FALSE(pace.Outrun(flush, Bytes(110 * kMiB), kLimits, 20000, kBulk));
  EXPECT_TRUE(pace.Outrun(flush, Bytes(150 * kMiB), kLimits, 50000, kBulk));
  EXPECT_FALSE(pace.Outrun(flush, Bytes(170 * kMiB), kLimits, 100000, kBulk));
  // A clock that went back is a clock that stands.
  EXPECT_TRUE(pace.Outrun(flush, Bytes(110 * kMiB), kLimits, -1, kBulk));
}

TEST(ControlPointPaceTest, ALoadDoesNotHoldUpSingleChanges) {
  ControlPointPace pace(0, 256 * kMiB);
  pace.Note(100 * kMiB, 100000);
  const Dirty flush = Bytes(100 * kMiB);
  for (int64_t micros = 0; micros <= 400000; micros += 10000) {
    const uint64_t most = MostMebibytes(pace, flush, micros, kBulk);
    EXPECT_FALSE(pace.Outrun(flush, Bytes((most + 10) * kMiB), kLimits, micros, !kBulk));
  }
}

// What may be used grows at every moment up to three times the expected one: nobody meets a wall.
TEST(ControlPointPaceTest, ALateOneStillLetsSomeThrough) {
  ControlPointPace pace(0, 256 * kMiB);
  pace.Note(100 * kMiB, 100000);
  const Dirty flush = Bytes(100 * kMiB);
  uint64_t before = 0;
  for (int64_t micros = 0; micros <= 300000; micros += 10000) {
    const uint64_t most = MostMebibytes(pace, flush, micros, kBulk);
    EXPECT_GT(most, before);
    before = most;
  }
  // The next control point is no larger than it should be.
  EXPECT_EQ(MostMebibytes(pace, flush, 1000000, !kBulk), 228u);
}

TEST(ControlPointPaceTest, SmallBlocksMeetTheLimitOfBlocks) {
  ControlPointPace pace(0, 256 * kMiB);
  const Dirty flush{25 * kMiB, 51200};  // of 512 bytes
  EXPECT_TRUE(pace.Outrun(flush, {40 * kMiB, 81920}, kLimits, 0, kBulk));
  EXPECT_FALSE(pace.Outrun(flush, {40 * kMiB, 81920}, kLimits, 1000000, kBulk));
  EXPECT_TRUE(pace.Outrun(flush, {49 * kMiB, 100000}, kLimits, 1000000, !kBulk));
}

TEST(ControlPointPaceTest, OneThatFillsTheLimitLeavesNoRoom) {
  ControlPointPace pace(0, 256 * kMiB);
  const Dirty flush = Bytes(300 * kMiB);
  EXPECT_TRUE(pace.Outrun(flush, flush, kLimits, 1000000000, !kBulk));
}

}  // namespace
}  // namespace quire
