#include "client/measure/live_snapshot.h"

#include <algorithm>
#include <vector>

#include "client/measure/errors.h"

namespace quire {
namespace measure {

absl::StatusOr<MeasureSnapshot> TakeLiveSnapshot(
    MeasureSession& session, const std::string& volume,
    const std::function<bool(std::string_view volume)>& concerns) {
  absl::StatusOr<FileSystem*> files = session.file_system();
  if (!files.ok()) return files.status();
  absl::StatusOr<MeasureSnapshot> snapshot = (*files)->Snapshot(volume);
  if (!snapshot.ok() || !volume.empty()) return snapshot;
  absl::StatusOr<std::vector<std::string>> names = (*files)->Volumes();
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    const bool answered =
        std::any_of(snapshot->volumes.begin(), snapshot->volumes.end(),
                    [&](const VolumeSnapshot& answer) { return answer.volume == name; });
    if (!answered && concerns(name)) {
      session.ReportWarning(measure_errors::VolumeDoesNotAnswer(name));
    }
  }
  return snapshot;
}

}  // namespace measure
}  // namespace quire
