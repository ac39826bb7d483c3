#include "client/fup/token_cursor.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

TokenCursor Cursor(const std::string& text) {
  return TokenCursor(*Tokenize(text), text);
}

TEST(TokenCursorTest, StaysAtTheEnd) {
  TokenCursor cursor = Cursor("A");
  EXPECT_EQ(cursor.Take().text, "A");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(cursor.Take().kind, TokenKind::kEnd);
  EXPECT_TRUE(cursor.AtEnd());
  EXPECT_EQ(cursor.Rest(), "");
}

TEST(TokenCursorTest, RestIsTheTextFromTheNextTokenOn) {
  TokenCursor cursor = Cursor("OBEY  /a b/c");
  cursor.Take();
  EXPECT_EQ(cursor.Rest(), "/a b/c");
}

TEST(TokenCursorTest, BytesAreAStringOrAList) {
  EXPECT_EQ(*Cursor("\"00\"").TakeBytes("the key"), "00");
  EXPECT_EQ(*Cursor("[0,%HFF,\"AB\"]").TakeBytes("the key"), std::string("\0\xFF"
                                                                         "AB",
                                                                         4));
  EXPECT_EQ(NumberOf(Cursor("[256]").TakeBytes("the key").status()), ErrorNumber::kIllegalCount);
  EXPECT_EQ(NumberOf(Cursor("[1,").TakeBytes("the key").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Cursor("[]").TakeBytes("the key").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Cursor("AB").TakeBytes("the key").status()), ErrorNumber::kBadParameter);
}

TEST(TokenCursorTest, NumbersHaveARange) {
  EXPECT_EQ(*Cursor("7").TakeNumber("REC", 1, 7), 7u);
  const absl::Status status = Cursor("%10").TakeNumber("REC", 1, 7).status();
  EXPECT_EQ(NumberOf(status), ErrorNumber::kIllegalCount);
  EXPECT_EQ(status.message(), "REC %10 is out of range; it may be 1 to 7.");
  EXPECT_EQ(Cursor("x").TakeNumber("REC", 1, 7).status().message(),
            "Expected a number for REC, found \"x\".");
}

TEST(TokenCursorTest, WordListsWithAndWithoutParentheses) {
  using testing::ElementsAre;
  EXPECT_THAT(*Cursor("( A, B )").TakeWordList("a name"), ElementsAre("A", "B"));
  EXPECT_THAT(*Cursor("A, B").TakeWordList("a name"), ElementsAre("A", "B"));
  EXPECT_FALSE(Cursor("( A, B").TakeWordList("a name").ok());
  EXPECT_FALSE(Cursor("A,").TakeWordList("a name").ok());
}

}  // namespace
}  // namespace quire
