#include "client/measure/command_table.h"
#include "client/measure/session.h"

namespace quire {
namespace measure {
namespace {

class DeleteMeasurementCommand : public MeasureCommand {
 public:
  absl::Status Run(MeasureSession& session) const override {
    session.report.from_file.reset();
    session.report.to_file.reset();
    return absl::OkStatus();
  }
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  if (absl::Status s = cursor.ExpectWord("MEASUREMENT"); !s.ok()) return s;
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<DeleteMeasurementCommand>();
}

constexpr CommandSpec kSpec = {
    "DELETE", "let windows begin at the volumes' start again",
    "DELETE MEASUREMENT\n"
    "  Forgets the snapshots given by ADD MEASUREMENT, SET REPORT, --from and --to; the files "
    "stay.\n",
    &Parse};

}  // namespace

const CommandSpec& DeleteCommandSpec() {
  return kSpec;
}

}  // namespace measure
}  // namespace quire
