#include "client/fup/attribute_text.h"

#include "gtest/gtest.h"

namespace quire {
namespace {

TEST(AttributeTextTest, PartialKeysAsSetTakesThem) {
  EXPECT_EQ(PartialKeyText("00"), "\"00\"");
  EXPECT_EQ(PartialKeyText("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(PartialKeyText(std::string("A\0\xFF", 3)), "[65,0,255]");
  EXPECT_EQ(PartialKeyText(std::string("AB\0\0", 4)), "\"AB\"");  // padding of CREATE
  EXPECT_EQ(PartialKeyText(std::string("\0\0", 2)), "[0]");
}

// What SHOW and INFO print can be given to SET again and means the same.
TEST(AttributeTextTest, LinesAreSetParameters) {
  CreateSettings settings;
  settings.attributes.format = 2;
  settings.attributes.code = 1200;
  settings.attributes.extents = {100, 200};
  settings.attributes.record_bytes = 240;
  settings.attributes.key_length = 8;
  settings.attributes.lock_length = 4;
  settings.attributes.buffered = true;
  settings.buffered_set = true;
  settings.partitions[1] = {"$DATA08", {100, 200}, std::string("H\x01", 2)};
  settings.partitions[2] = {"$DATA09", {100, 200}, "P\"Q"};
  CreateSettings again;
  for (const AttributeLine& line : AttributeLines(settings, PartitionStyle::kShow)) {
    TokenCursor cursor(*Tokenize(line.text), line.text);
    const auto parameters = ParseCreateParameters(cursor);
    ASSERT_TRUE(parameters.ok()) << line.text << ": " << parameters.status();
    ASSERT_EQ(parameters->front().keyword, line.keyword) << line.text;
    ASSERT_TRUE(ApplyParameter(parameters->front(), again).ok());
  }
  EXPECT_EQ(again, settings);
}

}  // namespace
}  // namespace quire
