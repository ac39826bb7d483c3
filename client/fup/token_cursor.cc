#include "client/fup/token_cursor.h"

#include <algorithm>
#include <utility>

#include "client/command/keyword.h"
#include "client/fup/errors.h"
#include "quire/text.h"

namespace quire {

TokenCursor::TokenCursor(std::vector<Token> tokens, std::string text)
    : tokens_(std::move(tokens)), text_(std::move(text)) {
  if (tokens_.empty()) tokens_.push_back(Token{});
}

const Token& TokenCursor::Peek(size_t ahead) const {
  return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

const Token& TokenCursor::Take() {
  const Token& token = Peek();
  next_ = std::min(next_ + 1, tokens_.size() - 1);
  return token;
}

bool TokenCursor::IsSymbol(char symbol, size_t ahead) const {
  const Token& token = Peek(ahead);
  return token.kind == TokenKind::kSymbol && token.text.front() == symbol;
}

std::string_view TokenCursor::Rest() const {
  return std::string_view(text_).substr(Peek().offset);
}

bool TokenCursor::TakeSymbol(char symbol) {
  if (!IsSymbol(symbol)) return false;
  Take();
  return true;
}

absl::Status TokenCursor::ExpectSymbol(char symbol) {
  if (TakeSymbol(symbol)) return absl::OkStatus();
  return fup_errors::Expected(StrCat("\"", std::string(1, symbol), "\""), TokenText(Peek()));
}

absl::Status TokenCursor::ExpectEnd() const {
  return AtEnd() ? absl::OkStatus()
                 : fup_errors::Expected("the end of the command", TokenText(Peek()));
}

absl::StatusOr<std::string> TokenCursor::TakeWord(std::string_view what) {
  if (Peek().kind != TokenKind::kWord) return fup_errors::Expected(what, TokenText(Peek()));
  return Take().text;
}

absl::StatusOr<uint64_t> TokenCursor::TakeNumber(std::string_view what, uint64_t least,
                                                 uint64_t most) {
  if (Peek().kind != TokenKind::kNumber) {
    return fup_errors::Expected(StrCat("a number for ", what), TokenText(Peek()));
  }
  const Token& token = Take();
  if (token.number < least || token.number > most) {
    return fup_errors::NumberOutOfRange(what, token.text, least, most);
  }
  return token.number;
}

absl::StatusOr<std::string> TokenCursor::TakeBytes(std::string_view what) {
  if (Peek().kind == TokenKind::kString) return Take().text;
  if (!TakeSymbol('[')) {
    return fup_errors::Expected(StrCat(what, " as \"text\" or [ byte, byte, ... ]"),
                                TokenText(Peek()));
  }
  std::string bytes;
  do {
    if (Peek().kind == TokenKind::kString) {
      bytes += Take().text;
      continue;
    }
    absl::StatusOr<uint64_t> byte = TakeNumber("a byte", 0, 255);
    if (!byte.ok()) return byte.status();
    bytes.push_back(static_cast<char>(static_cast<unsigned char>(*byte)));
  } while (TakeSymbol(','));
  if (absl::Status s = ExpectSymbol(']'); !s.ok()) return s;
  return bytes;
}

absl::StatusOr<size_t> TokenCursor::TakeKeyword(std::string_view kind,
                                                absl::Span<const std::string_view> words) {
  if (Peek().kind != TokenKind::kWord)
    return fup_errors::Expected(StrCat("the ", kind), TokenText(Peek()));
  return FindKeyword(kind, Take().text, words);
}

absl::StatusOr<std::vector<std::string>> TokenCursor::TakeWordList(std::string_view what) {
  const bool in_parentheses = TakeSymbol('(');
  std::vector<std::string> words;
  do {
    absl::StatusOr<std::string> word = TakeWord(what);
    if (!word.ok()) return word.status();
    words.push_back(*std::move(word));
  } while (TakeSymbol(','));
  if (in_parentheses) {
    if (absl::Status s = ExpectSymbol(')'); !s.ok()) return s;
  }
  return words;
}

}  // namespace quire
