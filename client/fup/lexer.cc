#include "client/fup/lexer.h"

#include <charconv>
#include <optional>

#include "absl/strings/ascii.h"
#include "client/fup/errors.h"
#include "quire/text.h"

namespace quire {
namespace {

bool IsWordCharacter(char c) {
  const unsigned char u = static_cast<unsigned char>(c);
  return absl::ascii_isalnum(u) || std::string_view("$\\.*?#_^").find(c) != std::string_view::npos;
}

std::optional<uint64_t> ParseNumber(std::string_view text) {
  int base = 10;
  if (text.front() == '%') {
    text.remove_prefix(1);
    base = 8;
    if (!text.empty() && (text.front() == 'H' || text.front() == 'h')) {
      text.remove_prefix(1);
      base = 16;
    }
  }
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

// The contents of the string that starts at text[position]; moves position beyond it.
std::optional<std::string> TakeString(std::string_view text, size_t& position) {
  std::string contents;
  for (++position; position < text.size(); ++position) {
    if (text[position] != '"') {
      contents.push_back(text[position]);
    } else if (position + 1 < text.size() && text[position + 1] == '"') {
      contents.push_back(text[position++]);
    } else {
      ++position;
      return contents;
    }
  }
  return std::nullopt;
}

Token TakeWordOrNumber(std::string_view text, size_t& position) {
  const size_t start = position++;
  while (position < text.size() && IsWordCharacter(text[position])) ++position;
  Token token{TokenKind::kWord, std::string(text.substr(start, position - start)), 0, start};
  const char first = token.text.front();
  if (first == '%' || absl::ascii_isdigit(static_cast<unsigned char>(first))) {
    if (const std::optional<uint64_t> number = ParseNumber(token.text)) {
      token.kind = TokenKind::kNumber;
      token.number = *number;
    }
  }
  return token;
}

}  // namespace

absl::StatusOr<std::vector<Token>> Tokenize(std::string_view text) {
  std::vector<Token> tokens;
  size_t position = 0;
  while (position < text.size()) {
    const char c = text[position];
    if (absl::ascii_isspace(static_cast<unsigned char>(c))) {
      ++position;
    } else if (c == '"') {
      const size_t start = position;
      std::optional<std::string> contents = TakeString(text, position);
      if (!contents) return fup_errors::StringNotClosed();
      tokens.push_back({TokenKind::kString, *std::move(contents), 0, start});
    } else if (IsWordCharacter(c) || c == '%') {
      tokens.push_back(TakeWordOrNumber(text, position));
    } else {
      tokens.push_back({TokenKind::kSymbol, std::string(1, c), 0, position});
      ++position;
    }
  }
  tokens.push_back({TokenKind::kEnd, "", 0, text.size()});
  return tokens;
}

std::string TokenText(const Token& token) {
  return token.kind == TokenKind::kEnd ? "the end" : StrCat("\"", token.text, "\"");
}

}  // namespace quire
