#include "tests/conformance/case_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "quire/text.h"
#include "tests/support/process_child.h"

namespace quire::conformance {

std::string SourcePath(const std::string& name) {
  return StrCat(QUIRE_SOURCE_DIR, "/tests/conformance/", name);
}

absl::StatusOr<std::vector<Case>> ReadAllCases() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(SourcePath("cases"))) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<Case> all;
  std::map<std::string, std::string> places;  // of ids
  for (const std::filesystem::path& path : paths) {
    const std::string name = StrCat("cases/", path.filename().string());
    absl::StatusOr<std::vector<Case>> cases = ReadCases(name, ReadWholeFile(path.string()));
    if (!cases.ok()) return cases.status();
    for (Case& one : *cases) {
      const std::string place = StrCat(name, ":", one.line);
      const auto [known, is_new] = places.emplace(one.id, place);
      if (!is_new) {
        return absl::InvalidArgumentError(
            StrCat(place, ": ", one.id, " is the id of the case at ", known->second, " too"));
      }
      all.push_back(std::move(one));
    }
  }
  return all;
}

}  // namespace quire::conformance
