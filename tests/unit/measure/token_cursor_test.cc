#include "client/measure/token_cursor.h"

#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace measure {
namespace {

TokenCursor CursorOver(std::string_view text) {
  auto tokens = Tokenize(text);
  EXPECT_TRUE(tokens.ok());
  return TokenCursor(*std::move(tokens));
}

TEST(MeasureTokenCursorTest, TakesWhatItIsAskedFor) {
  TokenCursor cursor = CursorOver("file name, \"a path\" on");
  EXPECT_TRUE(cursor.ExpectWord("FILE").ok());
  EXPECT_EQ(cursor.TakeWord("a name").value(), "name");
  EXPECT_FALSE(cursor.TakeSymbol("="));
  EXPECT_TRUE(cursor.TakeSymbol(","));
  EXPECT_EQ(cursor.TakePath("a path").value(), "a path");
  constexpr std::string_view kWords[] = {"OFF", "ON"};
  EXPECT_EQ(cursor.TakeKeyword("switch", kWords).value(), 1u);
  EXPECT_TRUE(cursor.ExpectEnd().ok());
}

TEST(MeasureTokenCursorTest, ErrorsNameWhatWasFound) {
  TokenCursor cursor = CursorOver(", x");
  const absl::Status status = cursor.TakeWord("a file name").status();
  EXPECT_EQ(NumberOf(status), ErrorNumber::kBadParameter);
  EXPECT_EQ(status.message(), "Expected a file name, found \",\".");
  EXPECT_FALSE(cursor.ExpectEnd().ok());
}

TEST(MeasureTokenCursorTest, TheEndStaysTheEnd) {
  TokenCursor cursor({});
  EXPECT_TRUE(cursor.AtEnd());
  cursor.Take();
  EXPECT_TRUE(cursor.AtEnd());
  EXPECT_EQ(cursor.TakeWord("a word").status().message(), "Expected a word, found the end.");
}

}  // namespace
}  // namespace measure
}  // namespace quire
