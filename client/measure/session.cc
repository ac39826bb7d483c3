#include "client/measure/session.h"

#include <utility>

#include "quire/error.h"

namespace quire {
namespace measure {

MeasureSession::MeasureSession(MeasureOptions options, MeasureWorld world)
    : defaults(options.defaults),
      report(options.report),
      options_(std::move(options)),
      world_(std::move(world)) {}

absl::StatusOr<FileSystem*> MeasureSession::file_system() {
  if (file_system_ == nullptr) {
    absl::StatusOr<std::unique_ptr<FileSystem>> connected = world_.connect();
    if (!connected.ok()) return connected.status();
    file_system_ = *std::move(connected);
  }
  return file_system_.get();
}

void MeasureSession::Print(std::string_view kind, const absl::Status& status) {
  // Both may be the same terminal: what was said first must stand first.
  world_.output->flush();
  *world_.errors << kind << " - " << Describe(status) << "\n";
  world_.errors->flush();
}

void MeasureSession::ReportError(const absl::Status& status) {
  ++error_count_;
  Print("ERROR", status);
}

void MeasureSession::ReportWarning(const absl::Status& status) {
  Print("WARNING", status);
}

}  // namespace measure
}  // namespace quire
