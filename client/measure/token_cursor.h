// Walks over the tokens of one command: what the parsers of the commands are written with.
#ifndef QUIRE_CLIENT_MEASURE_TOKEN_CURSOR_H_
#define QUIRE_CLIENT_MEASURE_TOKEN_CURSOR_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/measure/lexer.h"

namespace quire {
namespace measure {

// Errors are 22 and name what was wanted and what was found; after an error the position is
// unspecified.
class TokenCursor {
 public:
  // `tokens` as Tokenize made them, the end token included.
  explicit TokenCursor(std::vector<Token> tokens);

  // Beyond the end there is always another end token.
  const Token& Peek() const { return tokens_[next_]; }
  const Token& Take();
  bool AtEnd() const { return Peek().kind == TokenKind::kEnd; }

  // Steps over the symbol, or over the word in any letter case, if it is next.
  bool TakeSymbol(std::string_view symbol);
  bool TakeIfWord(std::string_view word);

  absl::Status ExpectWord(std::string_view word);
  absl::Status ExpectEnd() const;

  // `what` names the thing in messages: "a file name".
  absl::StatusOr<std::string> TakeWord(std::string_view what);
  // A word or a string: paths.
  absl::StatusOr<std::string> TakePath(std::string_view what);
  // Index in `words` (upper case) of the word that is next or that it begins.
  absl::StatusOr<size_t> TakeKeyword(std::string_view kind,
                                     absl::Span<const std::string_view> words);

 private:
  std::vector<Token> tokens_;
  size_t next_ = 0;
};

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_TOKEN_CURSOR_H_
