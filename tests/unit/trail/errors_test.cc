#include "server/trail/errors.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "quire/error.h"

namespace quire::trail_error {
namespace {

TEST(TrailErrors, EachHasItsNumber) {
  EXPECT_EQ(NumberOf(BadBatch("x")), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(UnknownVersion(3, 2)), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(Hole(1, 4096, 5, 7)), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(CutInsideBatch(1, 4096, 5, 7)), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(Missing(7)), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(ForeignSegment(1, 2)), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(ImpossibleSegment(1, 2)), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(EpochNotAbove(1, 2)), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(BatchTooLong(1, 2)), ErrorNumber::kIllegalCount);
  EXPECT_EQ(NumberOf(BadSegmentBytes(1)), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(NoDirectWrites("d")), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(NoRoom(1)), ErrorNumber::kNoDiscSpace);
  EXPECT_EQ(NumberOf(NoSpaceForSegment(1, 2)), ErrorNumber::kNoDiscSpace);
  EXPECT_EQ(NumberOf(DiscFailed("write", "f", EIO)), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(DiscCut()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(OutsideSegment(1, 2, 3)), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(Closing()), ErrorNumber::kVolumeDown);
}

// R-D8: a refused admission has changed nothing, so it may be repeated.
TEST(TrailErrors, R_D8_NoRoomMayBeRepeated) {
  EXPECT_EQ(RetryOf(NoRoom(1)), Retry::kSafe);
  EXPECT_EQ(RetryOf(DiscFailed("write", "f", EIO)), Retry::kNever);
}

TEST(TrailErrors, SentencesNameThePlace) {
  const std::string hole = Describe(Hole(3, 8192, 5, 7));
  EXPECT_NE(hole.find("segment 3 offset 8192"), std::string::npos) << hole;
  EXPECT_NE(hole.find("LSN 5 to 6 are missing"), std::string::npos) << hole;
}

}  // namespace
}  // namespace quire::trail_error
