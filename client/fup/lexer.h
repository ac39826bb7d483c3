// Splits the text of one command into tokens.
//
//   word    letters, digits and $ \ . * ? # _ ^, as names, filesets and keywords have them
//   number  decimal 80, octal %120, hexadecimal %H50; up to 2^64 - 1
//   string  "…", a quote inside doubled
//   symbol  any other printable character by itself
#ifndef QUIRE_CLIENT_FUP_LEXER_H_
#define QUIRE_CLIENT_FUP_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace quire {

enum class TokenKind : uint8_t { kWord, kNumber, kString, kSymbol, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;     // as written; of a string: its contents
  uint64_t number = 0;  // of a number
  size_t offset = 0;    // of its first character in the command text
};

// The last token is kEnd. A malformed number comes as a word, so that whoever wanted a number can
// say so. Error: 22 for a string without its closing quote.
absl::StatusOr<std::vector<Token>> Tokenize(std::string_view text);

// How a token is named in messages: "the end", or its text in quotes.
std::string TokenText(const Token& token);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_LEXER_H_
