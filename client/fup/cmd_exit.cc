#include "client/fup/command_table.h"
#include "client/fup/session.h"

namespace quire {
namespace {

class ExitCommand : public FupCommand {
 public:
  absl::Status Run(FupSession& session) const override {
    session.exit_requested = true;
    return absl::OkStatus();
  }
};

absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<ExitCommand>();
}

constexpr CommandSpec kSpec = {
    "EXIT", "end FUP", "EXIT\n  Ends the session, or the OBEY file it stands in.\n", &Parse};

}  // namespace

const CommandSpec& ExitCommandSpec() {
  return kSpec;
}

}  // namespace quire
