#include "client/transport/embedded.h"

#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "quire/error.h"
#include "quire/file_name.h"
#include "quire/text.h"

namespace quire {
namespace {

std::set<std::string> VolumesUnder(const std::string& directory) {
  std::set<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const absl::StatusOr<std::string> name =
        ParseVolumeName(StrCat("$", entry.path().filename().string()));
    if (entry.is_directory() && name.ok()) names.insert(*name);
  }
  return names;
}

}  // namespace

absl::StatusOr<std::map<std::string, std::shared_ptr<Service>>> OpenEmbeddedVolumes(
    const EmbeddedOptions& options) {
  std::set<std::string> names = VolumesUnder(options.directory);
  for (const std::string& text : options.volumes) {
    absl::StatusOr<std::string> name = ParseVolumeName(text);
    if (!name.ok()) return name.status();
    names.insert(*std::move(name));
  }
  if (names.empty()) {
    return MakeError(ErrorNumber::kBadParameter,
                     StrCat("there is no volume under ", options.directory,
                            "; a folder DATA01 in it is volume $DATA01"));
  }
  std::map<std::string, std::shared_ptr<Service>> volumes;
  for (const std::string& name : names) {
    VolumeOptions volume = options.volume;
    volume.name = name;
    volume.directory = StrCat(options.directory, "/", name.substr(1));
    absl::StatusOr<std::unique_ptr<Volume>> opened = Volume::Open(std::move(volume));
    if (!opened.ok()) return opened.status();
    volumes.emplace(name, *std::move(opened));
  }
  return volumes;
}

}  // namespace quire
