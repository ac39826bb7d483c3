#include <string>
#include <utility>

#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/session.h"

namespace quire {
namespace {

class SystemCommand : public FupCommand {
 public:
  explicit SystemCommand(std::string node) : node_(std::move(node)) {}

  absl::Status Run(FupSession& session) const override {
    if (node_.empty()) {
      session.defaults.node = session.options().defaults.node;
      return absl::OkStatus();
    }
    absl::StatusOr<NameDefaults> parsed = ParseDefaults(node_, session.defaults);
    if (!parsed.ok()) return OnFile(node_, parsed.status());
    session.defaults.node = parsed->node;
    return absl::OkStatus();
  }

 private:
  const std::string node_;  // empty: back to the start
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  std::string node;
  if (!cursor.AtEnd()) {
    const Token token = cursor.Take();
    if (token.kind != TokenKind::kWord || token.text.front() != '\\' ||
        token.text.find('.') != std::string::npos) {
      return fup_errors::Expected("a node, \\ and 1 to 7 letters or digits", TokenText(token));
    }
    node = token.text;
  }
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<SystemCommand>(std::move(node));
}

constexpr CommandSpec kSpec = {"SYSTEM", "default node of file names",
                               "SYSTEM [ \\node ]\n"
                               "  Sets the node of file names that have none. Without a node: back "
                               "to the default at start.\n",
                               &Parse};

}  // namespace

const CommandSpec& SystemCommandSpec() {
  return kSpec;
}

}  // namespace quire
