#include "client/fup/fileset.h"

#include "client/fup/errors.h"
#include "quire/text.h"

namespace quire {

bool HasWildCard(std::string_view text) {
  return text.find_first_of("*?") != std::string_view::npos;
}

bool HasWildCard(const FileName& fileset) {
  return HasWildCard(fileset.volume) || HasWildCard(fileset.subvolume) || HasWildCard(fileset.file);
}

absl::StatusOr<FileName> ParseSubvolumeSet(std::string_view text, const NameDefaults& defaults) {
  const std::string_view last = text.substr(text.rfind('.') + 1);  // all of it without a stop
  std::string fileset = text.empty() ? "*" : StrCat(text, ".*");
  if (last.starts_with('$')) StrAppend(&fileset, ".*");
  absl::StatusOr<FileName> parsed = ParseFileset(fileset, defaults);
  if (!parsed.ok()) return OnFile(text.empty() ? "*" : text, parsed.status());
  return parsed;
}

}  // namespace quire
