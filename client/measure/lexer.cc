#include "client/measure/lexer.h"

#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "client/measure/errors.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

constexpr std::string_view kSymbols = ",()=<>";

bool EndsWord(char c) {
  return absl::ascii_isspace(static_cast<unsigned char>(c)) || c == '"' ||
         kSymbols.find(c) != std::string_view::npos;
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

std::string TakeSymbol(std::string_view text, size_t& position) {
  const std::string_view two = text.substr(position, 2);
  const size_t length = two == "<=" || two == ">=" || two == "<>" ? 2 : 1;
  position += length;
  return std::string(two.substr(0, length));
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
      std::optional<std::string> contents = TakeString(text, position);
      if (!contents) return measure_errors::StringNotClosed();
      tokens.push_back({TokenKind::kString, *std::move(contents)});
    } else if (EndsWord(c)) {
      tokens.push_back({TokenKind::kSymbol, TakeSymbol(text, position)});
    } else {
      const size_t start = position;
      while (position < text.size() && !EndsWord(text[position])) ++position;
      tokens.push_back({TokenKind::kWord, std::string(text.substr(start, position - start))});
    }
  }
  tokens.push_back({TokenKind::kEnd, ""});
  return tokens;
}

std::string TokenText(const Token& token) {
  return token.kind == TokenKind::kEnd ? "the end" : StrCat("\"", token.text, "\"");
}

}  // namespace measure
}  // namespace quire
