#include "client/measure/command_table.h"
#include "client/measure/session.h"

namespace quire {
namespace measure {
namespace {

class ExitCommand : public MeasureCommand {
 public:
  absl::Status Run(MeasureSession& session) const override {
    session.exit_requested = true;
    return absl::OkStatus();
  }
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<ExitCommand>();
}

constexpr CommandSpec kSpec = {"EXIT", "end the session", "EXIT\n", &Parse};

}  // namespace

const CommandSpec& ExitCommandSpec() {
  return kSpec;
}

}  // namespace measure
}  // namespace quire
