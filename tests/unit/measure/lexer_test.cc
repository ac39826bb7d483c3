#include "client/measure/lexer.h"

#include "gmock/gmock.h"
#include "quire/error.h"

namespace quire {
namespace measure {
namespace {

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  const auto tokens = Tokenize(text);
  EXPECT_TRUE(tokens.ok()) << tokens.status();
  if (!tokens.ok()) return texts;
  for (const Token& token : *tokens) texts.push_back(token.text);
  return texts;
}

TEST(MeasureLexerTest, NamesPathsAndCountersAreWords) {
  EXPECT_THAT(Texts("LIST DISCOPEN $DATA01.MEASURE.*, FROM FILE /tmp/a-b.json, BY CACHE-HITS"),
              testing::ElementsAre("LIST", "DISCOPEN", "$DATA01.MEASURE.*", ",", "FROM", "FILE",
                                   "/tmp/a-b.json", ",", "BY", "CACHE-HITS", ""));
}

TEST(MeasureLexerTest, ComparisonsAreSymbolsWithoutBlanks) {
  EXPECT_THAT(Texts("A<=1<>2>=3<4=5>6"), testing::ElementsAre("A", "<=", "1", "<>", "2", ">=", "3",
                                                              "<", "4", "=", "5", ">", "6", ""));
}

TEST(MeasureLexerTest, StringsHoldBlanksAndQuotes) {
  const auto tokens = Tokenize("\"a \"\"b\"\".json\" x");
  ASSERT_TRUE(tokens.ok());
  EXPECT_EQ((*tokens)[0].kind, TokenKind::kString);
  EXPECT_EQ((*tokens)[0].text, "a \"b\".json");
  EXPECT_EQ((*tokens)[1].text, "x");
}

TEST(MeasureLexerTest, AnOpenStringIs22) {
  EXPECT_EQ(NumberOf(Tokenize("SNAPSHOT \"abc").status()), ErrorNumber::kBadParameter);
}

TEST(MeasureLexerTest, TokenTextNamesTheEnd) {
  EXPECT_EQ(TokenText({TokenKind::kEnd, ""}), "the end");
  EXPECT_EQ(TokenText({TokenKind::kWord, "X"}), "\"X\"");
}

}  // namespace
}  // namespace measure
}  // namespace quire
