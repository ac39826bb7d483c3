// Splits the text of one command into tokens.
//
//   string  "…", a quote inside doubled
//   symbol  , ( ) = < > <= >= <>
//   word    anything else up to a blank, a quote or a symbol: keywords, numbers, names with $ \ .
//   *,
//           counter names with hyphens, paths
#ifndef QUIRE_CLIENT_MEASURE_LEXER_H_
#define QUIRE_CLIENT_MEASURE_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace quire {
namespace measure {

enum class TokenKind : uint8_t { kWord, kString, kSymbol, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // as written; of a string: its contents
};

// The last token is kEnd. Error: 22 for a string without its closing quote.
absl::StatusOr<std::vector<Token>> Tokenize(std::string_view text);

// How a token is named in messages: "the end", or its text in quotes.
std::string TokenText(const Token& token);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_LEXER_H_
