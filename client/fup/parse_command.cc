#include "client/fup/parse_command.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "client/command/keyword.h"
#include "client/fup/cmd_alter.h"
#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/lexer.h"
#include "quire/text.h"

namespace quire {
namespace {

bool LooksLikeFileName(const Token& token) {
  return token.kind == TokenKind::kWord && token.text.find_first_of("$\\.") != std::string::npos;
}

// "!" and "?" take any text, also what no other command could be made of.
absl::StatusOr<std::unique_ptr<FupCommand>> ParseHistoryCommand(std::string_view text) {
  const std::string rest(text.substr(1));
  TokenCursor cursor({Token{TokenKind::kEnd, "", 0, 0}}, rest);
  return (text.front() == '!' ? AgainCommandSpec() : ShowAgainCommandSpec()).parse(cursor);
}

bool IsPastedPrompt(const TokenCursor& cursor) {
  return cursor.IsSymbol('-') && cursor.Peek(1).kind == TokenKind::kWord;
}

absl::StatusOr<std::unique_ptr<FupCommand>> ParseVerb(TokenCursor& cursor) {
  if (LooksLikeFileName(cursor.Peek())) {
    if (cursor.IsSymbol(',', 1)) return ParseAlterWithoutVerb(cursor);
    return fup_errors::VerbMissing(cursor.Peek().text);
  }
  if (cursor.Peek().kind != TokenKind::kWord) {
    return fup_errors::Expected("a command", TokenText(cursor.Peek()));
  }
  absl::StatusOr<size_t> verb = FindKeyword("command", cursor.Peek().text, CommandVerbs());
  if (!verb.ok()) {
    if (cursor.IsSymbol(',', 1)) return ParseAlterWithoutVerb(cursor);
    return verb.status();
  }
  const CommandSpec& spec = CommandTable()[*verb];
  if (spec.parse == nullptr) return fup_errors::CommandNotBuilt(spec.verb);
  cursor.Take();
  return spec.parse(cursor);
}

}  // namespace

absl::StatusOr<std::unique_ptr<FupCommand>> ParseCommand(std::string_view text) {
  text = ToStd(absl::StripAsciiWhitespace(ToAbsl(text)));
  if (text.empty()) return nullptr;
  if (text.front() == '!' || text.front() == '?') return ParseHistoryCommand(text);

  absl::StatusOr<std::vector<Token>> tokens = Tokenize(text);
  if (!tokens.ok()) return tokens.status();
  TokenCursor cursor(*std::move(tokens), std::string(text));
  if (IsPastedPrompt(cursor)) cursor.Take();
  if (cursor.Peek().kind == TokenKind::kWord && absl::EqualsIgnoreCase(cursor.Peek().text, "FUP")) {
    cursor.Take();
    if (cursor.AtEnd()) return nullptr;
  }
  return ParseVerb(cursor);
}

}  // namespace quire
