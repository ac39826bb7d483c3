#include "client/measure/token_cursor.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "client/command/keyword.h"
#include "client/measure/errors.h"
#include "quire/text.h"

namespace quire {
namespace measure {

TokenCursor::TokenCursor(std::vector<Token> tokens) : tokens_(std::move(tokens)) {
  if (tokens_.empty()) tokens_.push_back(Token{});
}

const Token& TokenCursor::Take() {
  const Token& token = Peek();
  next_ = std::min(next_ + 1, tokens_.size() - 1);
  return token;
}

bool TokenCursor::TakeSymbol(std::string_view symbol) {
  if (Peek().kind != TokenKind::kSymbol || Peek().text != symbol) return false;
  Take();
  return true;
}

bool TokenCursor::TakeIfWord(std::string_view word) {
  if (Peek().kind != TokenKind::kWord ||
      !absl::EqualsIgnoreCase(ToAbsl(Peek().text), ToAbsl(word))) {
    return false;
  }
  Take();
  return true;
}

absl::Status TokenCursor::ExpectWord(std::string_view word) {
  return TakeIfWord(word) ? absl::OkStatus() : measure_errors::Expected(word, TokenText(Peek()));
}

absl::Status TokenCursor::ExpectEnd() const {
  return AtEnd() ? absl::OkStatus()
                 : measure_errors::Expected("the end of the command", TokenText(Peek()));
}

absl::StatusOr<std::string> TokenCursor::TakeWord(std::string_view what) {
  if (Peek().kind != TokenKind::kWord) return measure_errors::Expected(what, TokenText(Peek()));
  return Take().text;
}

absl::StatusOr<std::string> TokenCursor::TakePath(std::string_view what) {
  if (Peek().kind == TokenKind::kString && !Peek().text.empty()) return Take().text;
  return TakeWord(what);
}

absl::StatusOr<size_t> TokenCursor::TakeKeyword(std::string_view kind,
                                                absl::Span<const std::string_view> words) {
  absl::StatusOr<std::string> word = TakeWord(StrCat("the ", kind));
  if (!word.ok()) return word.status();
  return FindKeyword(kind, *word, words);
}

}  // namespace measure
}  // namespace quire
