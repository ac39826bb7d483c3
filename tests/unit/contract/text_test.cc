#include "quire/text.h"

#include "gtest/gtest.h"

namespace quire {
namespace {

TEST(TextTest, PiecesOfEveryKindAreJoined) {
  EXPECT_EQ(
      StrCat("a", std::string_view("b"), std::string("c"), 1, uint64_t{2}, absl::string_view("d")),
      "abc12d");
  std::string text = "start";
  StrAppend(&text, std::string_view(" more"), 3);
  EXPECT_EQ(text, "start more3");
  EXPECT_EQ(StrCat(), "");
}

TEST(TextTest, BridgesKeepPointerAndLength) {
  const std::string_view text("a\0b", 3);
  EXPECT_EQ(ToAbsl(text).data(), text.data());
  EXPECT_EQ(ToStd(ToAbsl(text)), text);
}

}  // namespace
}  // namespace quire
