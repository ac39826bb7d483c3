#include "server/btree/errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

using testing::HasSubstr;

std::string Message(const absl::Status& status) {
  return std::string(ToStd(status.message()));
}

TEST(BtreeErrors, CarryTheirNumbers) {
  EXPECT_EQ(NumberOf(btree_error::RecordExists("k")), ErrorNumber::kAlreadyExists);
  EXPECT_EQ(NumberOf(btree_error::RecordNotFound("k")), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(btree_error::EndOfSubset()), ErrorNumber::kEndOfFile);
  EXPECT_EQ(NumberOf(btree_error::TooManyIndexLevels()), ErrorNumber::kFileFull);
  EXPECT_EQ(NumberOf(btree_error::NoFrames(3)), ErrorNumber::kNoBufferSpace);
  EXPECT_EQ(RetryOf(btree_error::NoFrames(3)), Retry::kSafe);
  EXPECT_EQ(NumberOf(btree_error::BadBlock(7, 9, "why")), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(btree_error::BadState(7, "why")), ErrorNumber::kFileBad);
}

TEST(BtreeErrors, NameFileBlockAndReason) {
  const std::string message = Message(btree_error::BadBlock(7, 9, "its slots are bent"));
  EXPECT_THAT(message, HasSubstr("file id 7"));
  EXPECT_THAT(message, HasSubstr("block 9"));
  EXPECT_THAT(message, HasSubstr("its slots are bent"));
}

TEST(BtreeErrors, ShowKeysAsPrintableTextOfBoundedLength) {
  EXPECT_THAT(Message(btree_error::RecordNotFound(std::string("a\0z", 3))),
              HasSubstr("\"a\\x00z\""));
  EXPECT_LT(Message(btree_error::RecordExists(std::string(2048, 'k'))).size(), 200u);
}

}  // namespace
}  // namespace quire
