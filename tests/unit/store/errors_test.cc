#include "server/store/errors.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

using testing::HasSubstr;

TEST(StoreErrorsTest, DamageIs59WithFileAndBlock) {
  for (const absl::Status& error :
       {StoredBlockMissing(12, 34), StoredBlockOfOtherSize(12, 34, 496, 4080),
        StoredBlockDamaged(12, 34, "wrong magic")}) {
    EXPECT_EQ(NumberOf(error), ErrorNumber::kFileBad);
    EXPECT_EQ(RetryOf(error), Retry::kNever);
    EXPECT_THAT(Describe(error), HasSubstr("file id 12, block 34"));
  }
}

TEST(StoreErrorsTest, WantOfRoomIs43AndSafeToRepeat) {  // R-D8
  for (const absl::Status& error : {StoreCapacityUsedUp("dir", 4096), StoreDiscFull("dir")}) {
    EXPECT_EQ(NumberOf(error), ErrorNumber::kNoDiscSpace);
    EXPECT_EQ(RetryOf(error), Retry::kSafe);
    EXPECT_THAT(Describe(error), HasSubstr("dir"));
  }
}

TEST(StoreErrorsTest, FailureOfTheStoreIs66) {  // R-D14
  for (const absl::Status& error : {StoreFailed("dir", "commit", "reason"), StoreAlreadyOpen("dir"),
                                    StorePageSizeUnusable("dir", 16384)}) {
    EXPECT_EQ(NumberOf(error), ErrorNumber::kVolumeDown);
    EXPECT_THAT(Describe(error), HasSubstr("dir"));
  }
}

TEST(StoreErrorsTest, TooSmallACapacityIs22) {
  const absl::Status error = StoreCapacityTooSmall(1, 1048576);
  EXPECT_EQ(NumberOf(error), ErrorNumber::kBadParameter);
  EXPECT_THAT(Describe(error), HasSubstr("1048576"));
}

}  // namespace
}  // namespace quire
