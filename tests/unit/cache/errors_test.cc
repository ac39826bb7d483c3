#include "server/cache/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quire/error.h"

namespace quire {
namespace {

using testing::HasSubstr;

TEST(CacheErrors, NoFrameFreeIsSafeToRepeat) {
  const absl::Status status = NoFrameFree(4080);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kNoBufferSpace);
  EXPECT_EQ(RetryOf(status), Retry::kSafe);
  EXPECT_THAT(Describe(status), HasSubstr("4080"));
}

TEST(CacheErrors, ReplayedImageSizeNamesTheBlock) {
  const absl::Status status = ReplayedImageSize(7, 12, 100, 496);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kFileBad);
  EXPECT_EQ(RetryOf(status), Retry::kNever);
  EXPECT_THAT(Describe(status), HasSubstr("block 12 of file 7"));
}

}  // namespace
}  // namespace quire
