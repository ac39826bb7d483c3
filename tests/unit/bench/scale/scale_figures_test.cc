#include "client/bench/scale/scale_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quire/error.h"

namespace quire {
namespace bench {
namespace {

TEST(ScaleFiguresTest, TravelWhole) {
  LoadFigures load;
  load.records = 135000;
  load.answered_s = 0.75;
  load.stall_audit_ms = 12.5;
  load.unplaced_records = 20000;
  const absl::StatusOr<LoadFigures> loaded = DecodeLoad(EncodeLoad(load));
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->records, 135000);
  EXPECT_DOUBLE_EQ(loaded->answered_s, 0.75);
  EXPECT_DOUBLE_EQ(loaded->longest_stall_ms(), 12.5);
  EXPECT_EQ(loaded->unplaced_records, 20000);

  ReopenFigures reopen;
  reopen.open_s = 0.25;
  reopen.uncached_read_us = {70, 80};
  reopen.pread_us = {60, 75};
  const absl::StatusOr<ReopenFigures> reopened = DecodeReopen(EncodeReopen(reopen));
  ASSERT_TRUE(reopened.ok()) << reopened.status();
  EXPECT_DOUBLE_EQ(reopened->open_s, 0.25);
  EXPECT_THAT(reopened->uncached_read_us, testing::ElementsAre(70, 80));
  EXPECT_THAT(reopened->pread_us, testing::ElementsAre(60, 75));
}

TEST(ScaleFiguresTest, OtherTextIsRefused) {
  for (const char* text : {"", "{", "[]", "{}", "{\"records\": 5}"}) {
    EXPECT_EQ(NumberOf(DecodeLoad(text).status()), ErrorNumber::kBadParameter) << text;
    EXPECT_EQ(NumberOf(DecodeReopen(text).status()), ErrorNumber::kBadParameter) << text;
  }
  std::string other = EncodeLoad(LoadFigures());
  other.replace(other.find("\"records\": 0"), 12, "\"records\": \"\"");
  EXPECT_EQ(NumberOf(DecodeLoad(other).status()), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace bench
}  // namespace quire
