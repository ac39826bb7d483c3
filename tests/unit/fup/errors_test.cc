#include "client/fup/errors.h"

#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

TEST(FupErrorsTest, OnFileKeepsNumberSentenceAndFirstName) {
  const absl::Status status =
      MakeError(ErrorNumber::kVolumeDown, "The volume is down.", Retry::kSafe);
  const absl::Status named = OnFile("$A.B.C", status);
  EXPECT_EQ(NumberOf(named), ErrorNumber::kVolumeDown);
  EXPECT_EQ(RetryOf(named), Retry::kSafe);
  EXPECT_EQ(named.message(), status.message());
  EXPECT_EQ(FileOf(named), "$A.B.C");
  EXPECT_EQ(FileOf(OnFile("$X.Y.Z", named)), "$A.B.C");
  EXPECT_EQ(FileOf(status), std::nullopt);
  EXPECT_TRUE(OnFile("$A.B.C", absl::OkStatus()).ok());
}

}  // namespace
}  // namespace quire
