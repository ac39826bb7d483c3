#include "client/measure/parse_command.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "client/measure/command_table.h"

namespace quire {
namespace measure {
namespace {

bool IsPastedPrompt(const Token& token) {
  if (token.kind != TokenKind::kWord || token.text.size() < 2 || token.text.back() != '+') {
    return false;
  }
  return std::all_of(token.text.begin(), token.text.end() - 1,
                     [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
}

}  // namespace

absl::StatusOr<std::unique_ptr<MeasureCommand>> ParseCommand(std::string_view text) {
  absl::StatusOr<std::vector<Token>> tokens = Tokenize(text);
  if (!tokens.ok()) return tokens.status();
  TokenCursor cursor(*std::move(tokens));
  if (IsPastedPrompt(cursor.Peek())) cursor.Take();
  cursor.TakeIfWord("MEASCOM");
  if (cursor.AtEnd()) return nullptr;
  absl::StatusOr<size_t> verb = cursor.TakeKeyword("command", CommandVerbs());
  if (!verb.ok()) return verb.status();
  return CommandTable()[*verb].parse(cursor);
}

}  // namespace measure
}  // namespace quire
