// ReadVolumeMap of quire/filesystem.h.
#include <fstream>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "client/filesystem/errors.h"
#include "quire/file_name.h"
#include "quire/filesystem.h"
#include "quire/text.h"

namespace quire {

absl::StatusOr<std::map<std::string, std::string>> ReadVolumeMap(const std::string& path) {
  std::ifstream in(path);
  if (!in) return filesystem_errors::MapUnreadable(path, "it cannot be opened");
  std::map<std::string, std::string> volumes;
  std::string line;
  for (uint32_t number = 1; std::getline(in, line); ++number) {
    const std::string_view text = ToStd(absl::StripAsciiWhitespace(line));
    if (text.empty() || text.front() == '#') continue;
    const std::pair<std::string, std::string> parts =
        absl::StrSplit(ToAbsl(text), absl::MaxSplits('=', 1));
    const absl::StatusOr<std::string> volume =
        ParseVolumeName(ToStd(absl::StripAsciiWhitespace(parts.first)));
    if (!volume.ok()) {
      return filesystem_errors::MapLine(path, number, ToStd(volume.status().message()));
    }
    const std::string address(absl::StripAsciiWhitespace(parts.second));
    const size_t colon = address.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == address.size()) {
      return filesystem_errors::MapLine(path, number, "there is no address host:port");
    }
    if (!volumes.emplace(*volume, address).second) {
      return filesystem_errors::MapLine(path, number, StrCat(*volume, " is named twice"));
    }
  }
  if (in.bad()) return filesystem_errors::MapUnreadable(path, "reading it failed");
  return volumes;
}

}  // namespace quire
