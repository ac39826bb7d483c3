// Walks over the tokens of one command: what the parsers of the commands are written with.
#ifndef QUIRE_CLIENT_FUP_TOKEN_CURSOR_H_
#define QUIRE_CLIENT_FUP_TOKEN_CURSOR_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/fup/lexer.h"

namespace quire {

// Errors are 22 (21 for a number out of range) and name what was wanted and what was found; after
// an error the position is unspecified.
class TokenCursor {
 public:
  // `tokens` as Tokenize made them of `text`, the end token included.
  TokenCursor(std::vector<Token> tokens, std::string text);

  // Beyond the end there is always another end token.
  const Token& Peek(size_t ahead = 0) const;
  const Token& Take();
  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }
  bool IsSymbol(char symbol, size_t ahead = 0) const;
  // The command's text from the next token on.
  std::string_view Rest() const;

  // Steps over the symbol if it is next.
  bool TakeSymbol(char symbol);
  absl::Status ExpectSymbol(char symbol);
  absl::Status ExpectEnd() const;

  // `what` names the thing in messages: "a file name", "REC".
  absl::StatusOr<std::string> TakeWord(std::string_view what);
  absl::StatusOr<uint64_t> TakeNumber(std::string_view what, uint64_t least, uint64_t most);
  // A string, or a list [ 0, %H1F, "AB" ] of bytes and strings.
  absl::StatusOr<std::string> TakeBytes(std::string_view what);
  absl::StatusOr<size_t> TakeKeyword(std::string_view kind,
                                     absl::Span<const std::string_view> words);
  // One word, or ( word, word … ), or word, word … without parentheses.
  absl::StatusOr<std::vector<std::string>> TakeWordList(std::string_view what);

 private:
  std::vector<Token> tokens_;
  std::string text_;
  size_t next_ = 0;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_TOKEN_CURSOR_H_
