#include <string>
#include <utility>

#include "client/measure/command_table.h"
#include "client/measure/session.h"
#include "client/measure/snapshot_file.h"

namespace quire {
namespace measure {
namespace {

class AddMeasurementCommand : public MeasureCommand {
 public:
  explicit AddMeasurementCommand(std::string path) : path_(std::move(path)) {}

  // The file is read here to say at once what is wrong with it, and again by every LIST.
  absl::Status Run(MeasureSession& session) const override {
    if (absl::Status s = ReadSnapshotFile(path_).status(); !s.ok()) return s;
    session.report.from_file = path_;
    return absl::OkStatus();
  }

 private:
  const std::string path_;
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  if (absl::Status s = cursor.ExpectWord("MEASUREMENT"); !s.ok()) return s;
  absl::StatusOr<std::string> path = cursor.TakePath("the path of a snapshot");
  if (!path.ok()) return path.status();
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<AddMeasurementCommand>(*std::move(path));
}

constexpr CommandSpec kSpec = {"ADD", "let windows begin at a snapshot",
                               "ADD MEASUREMENT path\n"
                               "  LIST reports from that snapshot on, until DELETE MEASUREMENT.\n",
                               &Parse};

}  // namespace

const CommandSpec& AddCommandSpec() {
  return kSpec;
}

}  // namespace measure
}  // namespace quire
