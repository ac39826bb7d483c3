#include "client/bench/errors.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

TEST(ErrorsTest, CausesMapToNumbers) {
  EXPECT_EQ(NumberOf(CannotOpen("f", ENOENT)), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(CannotOpen("f", EACCES)), ErrorNumber::kSecurityViolation);
  EXPECT_EQ(NumberOf(CannotWrite("f", ENOSPC)), ErrorNumber::kNoDiscSpace);
  EXPECT_EQ(NumberOf(CannotRead("f", EIO)), ErrorNumber::kBadParameter);
}

TEST(ErrorsTest, ARefusalKeepsNumberAndAdvice) {
  const absl::Status why = MakeError(ErrorNumber::kVolumeDown, "no answer", Retry::kSafe);
  const absl::Status refused = RecordRefused("row", 17, why);
  EXPECT_EQ(NumberOf(refused), ErrorNumber::kVolumeDown);
  EXPECT_EQ(RetryOf(refused), Retry::kSafe);
  EXPECT_EQ(ToStd(refused.message()), "row 17: no answer");
}

TEST(ErrorsTest, SentencesNameTheOptionOrPlace) {
  EXPECT_EQ(ToStd(BadOption("rec", "too small").message()), "--rec: too small");
  EXPECT_NE(ToStd(RowTooLong(3, 90, 80).message()).find("row 3 has 90 bytes"), std::string::npos);
}

}  // namespace
}  // namespace bench
}  // namespace quire
