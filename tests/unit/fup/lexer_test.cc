#include "client/fup/lexer.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace {

TEST(LexerTest, FileNamesAndFilesetsAreOneWord) {
  const auto tokens = Tokenize("INFO \\NY.$data01.*.OUT?ILE");
  ASSERT_TRUE(tokens.ok());
  ASSERT_EQ(tokens->size(), 3u);
  EXPECT_EQ((*tokens)[1].kind, TokenKind::kWord);
  EXPECT_EQ((*tokens)[1].text, "\\NY.$data01.*.OUT?ILE");
  EXPECT_EQ((*tokens)[1].offset, 5u);
  EXPECT_EQ((*tokens)[2].kind, TokenKind::kEnd);
}

TEST(LexerTest, NumbersInThreeBases) {
  const auto tokens = Tokenize("80 %120 %H50 %hff 18446744073709551615");
  ASSERT_TRUE(tokens.ok());
  const uint64_t expected[] = {80, 80, 80, 255, 18446744073709551615u};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ((*tokens)[i].kind, TokenKind::kNumber) << i;
    EXPECT_EQ((*tokens)[i].number, expected[i]) << i;
  }
}

TEST(LexerTest, WhatIsNoNumberComesAsAWord) {
  for (const char* text : {"18446744073709551616", "%8", "%HXY", "%", "%H", "12AB", "1.5"}) {
    const auto tokens = Tokenize(text);
    ASSERT_TRUE(tokens.ok()) << text;
    EXPECT_EQ((*tokens)[0].kind, TokenKind::kWord) << text;
    EXPECT_EQ((*tokens)[0].text, text);
  }
}

TEST(LexerTest, StringsDoubleTheirQuotes) {
  const auto tokens = Tokenize(R"("a ""b"" ; --" "" "x")");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ((*tokens)[0].text, R"(a "b" ; --)");
  EXPECT_EQ((*tokens)[1].text, "");
  EXPECT_EQ((*tokens)[1].kind, TokenKind::kString);
  EXPECT_EQ((*tokens)[2].text, "x");
  EXPECT_EQ(NumberOf(Tokenize("\"open").status()), ErrorNumber::kBadParameter);
}

TEST(LexerTest, OtherCharactersAreSymbols) {
  const auto tokens = Tokenize("(1,[2])!");
  ASSERT_TRUE(tokens.ok());
  ASSERT_EQ(tokens->size(), 9u);
  EXPECT_EQ(TokenText((*tokens)[0]), "\"(\"");
  EXPECT_EQ(TokenText(tokens->back()), "the end");
}

}  // namespace
}  // namespace quire
