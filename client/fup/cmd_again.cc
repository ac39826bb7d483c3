#include <string>
#include <utility>

#include "client/fup/command_table.h"
#include "client/fup/interpreter.h"
#include "client/fup/session.h"

namespace quire {
namespace {

class AgainCommand : public FupCommand {
 public:
  AgainCommand(std::string wanted, bool run) : wanted_(std::move(wanted)), run_(run) {}

  absl::Status Run(FupSession& session) const override {
    absl::StatusOr<std::string> command = session.history.Find(wanted_);
    if (!command.ok()) return command.status();
    session.output() << *command << "\n";
    if (run_) ExecuteCommand(session, *command);
    return absl::OkStatus();
  }

 private:
  const std::string wanted_;
  const bool run_;
};

absl::StatusOr<std::unique_ptr<FupCommand>> ParseAgain(TokenCursor& cursor) {
  return std::make_unique<AgainCommand>(std::string(cursor.Rest()), /*run=*/true);
}

absl::StatusOr<std::unique_ptr<FupCommand>> ParseShow(TokenCursor& cursor) {
  return std::make_unique<AgainCommand>(std::string(cursor.Rest()), /*run=*/false);
}

constexpr CommandSpec kAgainSpec = {
    "!", "run an earlier command again",
    "! [ -n | n | text | \"text\" ]\n"
    "  The last command, the one n back, number n of HISTORY, the last that begins with the text,\n"
    "  or the last that has it anywhere. It is shown, then run.\n",
    &ParseAgain};

constexpr CommandSpec kShowSpec = {"?", "show an earlier command",
                                   "? [ -n | n | text | \"text\" ]\n"
                                   "  Finds a command as ! does, and only shows it.\n",
                                   &ParseShow};

}  // namespace

const CommandSpec& AgainCommandSpec() {
  return kAgainSpec;
}
const CommandSpec& ShowAgainCommandSpec() {
  return kShowSpec;
}

}  // namespace quire
