#include <string>
#include <utility>

#include "client/measure/command_table.h"
#include "client/measure/live_snapshot.h"
#include "client/measure/session.h"
#include "client/measure/snapshot_file.h"

namespace quire {
namespace measure {
namespace {

class SnapshotCommand : public MeasureCommand {
 public:
  explicit SnapshotCommand(std::string path) : path_(std::move(path)) {}

  absl::Status Run(MeasureSession& session) const override {
    absl::StatusOr<MeasureSnapshot> snapshot =
        TakeLiveSnapshot(session, "", [](std::string_view) { return true; });
    if (!snapshot.ok()) return snapshot.status();
    return WriteSnapshotFile(*snapshot, path_);
  }

 private:
  const std::string path_;
};

absl::StatusOr<std::unique_ptr<MeasureCommand>> Parse(TokenCursor& cursor) {
  absl::StatusOr<std::string> path = cursor.TakePath("the path of the snapshot to write");
  if (!path.ok()) return path.status();
  if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
  return std::make_unique<SnapshotCommand>(*std::move(path));
}

constexpr CommandSpec kSpec = {
    "SNAPSHOT", "save the counters of all volumes as they are now",
    "SNAPSHOT path\n"
    "  Writes a file that ADD MEASUREMENT, FROM FILE and TO FILE take; it takes the place of an\n"
    "  old one.\n",
    &Parse};

}  // namespace

const CommandSpec& SnapshotCommandSpec() {
  return kSpec;
}

}  // namespace measure
}  // namespace quire
