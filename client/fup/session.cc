#include "client/fup/session.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "client/fup/errors.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {

FupSession::FupSession(FupOptions options, FupWorld world)
    : defaults(options.defaults), options_(std::move(options)), world_(std::move(world)) {}

absl::StatusOr<FileSystem*> FupSession::file_system() {
  if (file_system_ == nullptr) {
    absl::StatusOr<std::unique_ptr<FileSystem>> connected = world_.connect();
    if (!connected.ok()) return connected.status();
    file_system_ = *std::move(connected);
  }
  return file_system_.get();
}

std::optional<bool> FupSession::VolumeExists(std::string_view volume) {
  if (volumes_unknown_) return std::nullopt;
  absl::StatusOr<FileSystem*> files = file_system();
  absl::StatusOr<std::vector<std::string>> volumes = std::vector<std::string>();
  if (files.ok()) volumes = (*files)->Volumes();
  if (!files.ok() || !volumes.ok()) {
    volumes_unknown_ = true;
    return std::nullopt;
  }
  return std::find(volumes->begin(), volumes->end(), volume) != volumes->end();
}

absl::StatusOr<FileName> FupSession::ResolveName(std::string_view text) const {
  absl::StatusOr<FileName> name = ParseFileName(text, defaults);
  if (!name.ok()) return OnFile(text, name.status());
  return name;
}

absl::StatusOr<FileName> FupSession::ResolveFileset(std::string_view text) const {
  absl::StatusOr<FileName> name = ParseFileset(text, defaults);
  if (!name.ok()) return OnFile(text, name.status());
  return name;
}

std::optional<std::string> FupSession::Ask(const std::string& prompt) {
  if (!options_.interactive || !world_.ask) return std::nullopt;
  return world_.ask(prompt);
}

void FupSession::Print(std::string_view kind, const absl::Status& status) {
  world_.output->flush();
  std::ostream& errors = *world_.errors;
  if (const std::optional<std::string> file = FileOf(status)) {
    errors << kind << " - " << *file << ": FILE SYSTEM ERROR: ERR "
           << static_cast<int32_t>(NumberOf(status)) << "\n";
    if (!status.message().empty()) errors << "    " << status.message() << "\n";
  } else {
    errors << kind << " - " << status.message() << "\n";
  }
  errors.flush();
}

void FupSession::ReportError(const absl::Status& status) {
  ++trouble_.errors;
  if (NumberOf(status) == ErrorNumber::kPathDown) ++trouble_.severe_errors;
  Print("ERROR", status);
}

void FupSession::ReportWarning(const absl::Status& status) {
  ++trouble_.warnings;
  Print("WARNING", status);
}

void FupSession::ReportWarning(std::string_view text) {
  ++trouble_.warnings;
  world_.output->flush();
  *world_.errors << "WARNING - " << text << "\n";
  world_.errors->flush();
}

}  // namespace quire
