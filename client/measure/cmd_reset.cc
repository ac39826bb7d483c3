#include "client/measure/command_table.h"
#include "client/measure/session.h"

namespace quire {
namespace measure {
namespace {

class ResetReportCommand : public MeasureCommand {
 public:
  absl::Status Run(MeasureSession& session) const override {
    session.report = session.options().report;
    return absl::OkStatus();
  }
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  if (absl::Status s = cursor.ExpectWord("REPORT"); !s.ok()) return s;
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<ResetReportCommand>();
}

constexpr CommandSpec kSpec = {"RESET", "report options as at the start of the session",
                               "RESET REPORT\n", &Parse};

}  // namespace

const CommandSpec& ResetCommandSpec() {
  return kSpec;
}

}  // namespace measure
}  // namespace quire
