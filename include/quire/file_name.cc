#include "quire/file_name.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr size_t kSystemPartLength = 7;  // after "\" or "$"
constexpr size_t kNamePartLength = 8;    // subvolume and file-id

// R-A6
constexpr std::string_view kShellHint =
    "it starts with a full stop; if you typed $VOLUME in a shell, the shell removed it: put the "
    "command in single quotes";

absl::Status IllegalName(std::string_view text, std::string_view reason) {
  return MakeError(ErrorNumber::kIllegalName,
                   StrCat("file name \"", text, "\": ", reason,
                          ". Write [\\node.][$volume.][subvolume.]file-id."));
}

bool IsPart(std::string_view part, size_t longest, bool wild) {
  if (part.empty() || part.size() > longest) return false;
  for (size_t i = 0; i < part.size(); ++i) {
    const char c = part[i];
    if (wild && (c == '*' || c == '?')) continue;
    if (i == 0 ? !absl::ascii_isalpha(c) : !absl::ascii_isalnum(c)) return false;
  }
  return true;
}

absl::StatusOr<FileName> Parse(std::string_view text, const NameDefaults& defaults, bool wild) {
  if (text.empty()) return IllegalName(text, "it is empty");
  if (text.front() == '.') return IllegalName(text, kShellHint);
  std::vector<std::string> parts = absl::StrSplit(absl::AsciiStrToUpper(ToAbsl(text)), '.');
  size_t next = 0;
  FileName name{defaults.node, defaults.volume, defaults.subvolume, ""};
  if (parts[next].front() == '\\') name.node = parts[next++];
  if (next < parts.size() && !parts[next].empty() && parts[next].front() == '$') {
    name.volume = parts[next++];
  }
  const size_t left = parts.size() - next;
  if (left == 0) return IllegalName(text, "the file-id is missing");
  if (left > 2) return IllegalName(text, "it has too many parts");
  if (left == 2) name.subvolume = parts[next++];
  name.file = parts[next];

  if (!name.node.empty() && !IsPart(name.node.substr(1), kSystemPartLength, false)) {
    return IllegalName(text, "the node is not \\ and 1 to 7 letters or digits, letter first");
  }
  if (name.volume.empty()) {
    return IllegalName(text, "it has no volume and there is no default (see VOLUME)");
  }
  if (!IsPart(std::string_view(name.volume).substr(1), kSystemPartLength, wild)) {
    return IllegalName(text, "the volume is not $ and 1 to 7 letters or digits, letter first");
  }
  if (name.subvolume.empty()) {
    return IllegalName(text, "it has no subvolume and there is no default (see VOLUME)");
  }
  if (!IsPart(name.subvolume, kNamePartLength, wild)) {
    return IllegalName(text, "the subvolume is not 1 to 8 letters or digits, letter first");
  }
  if (!IsPart(name.file, kNamePartLength, wild)) {
    return IllegalName(text, "the file-id is not 1 to 8 letters or digits, letter first");
  }
  return name;
}

}  // namespace

std::string FileName::ToString() const {
  std::string text = node.empty() ? "" : StrCat(node, ".");
  StrAppend(&text, volume, ".", subvolume, ".", file);
  return text;
}

FileName FileName::OnVolume(std::string_view other) const {
  FileName copy = *this;
  copy.volume = std::string(other);
  return copy;
}

absl::StatusOr<FileName> ParseFileName(std::string_view text, const NameDefaults& defaults) {
  return Parse(text, defaults, /*wild=*/false);
}

bool IsFileName(const FileName& name) {
  const auto is_part = [](std::string_view part, size_t longest) {
    return IsPart(part, longest, /*wild=*/false) &&
           std::none_of(part.begin(), part.end(), [](char c) { return absl::ascii_islower(c); });
  };
  const auto is_system_part = [&](std::string_view part, char first) {
    return part.starts_with(first) && is_part(part.substr(1), kSystemPartLength);
  };
  return (name.node.empty() || is_system_part(name.node, '\\')) &&
         is_system_part(name.volume, '$') && is_part(name.subvolume, kNamePartLength) &&
         is_part(name.file, kNamePartLength);
}

absl::StatusOr<FileName> ParseFileset(std::string_view text, const NameDefaults& defaults) {
  return Parse(text, defaults, /*wild=*/true);
}

absl::StatusOr<std::string> ParseVolumeName(std::string_view text) {
  const std::string upper = absl::AsciiStrToUpper(ToAbsl(text));
  if (upper.size() < 2 || upper.front() != '$' ||
      !IsPart(std::string_view(upper).substr(1), kSystemPartLength, false)) {
    return MakeError(ErrorNumber::kIllegalName,
                     StrCat("volume name \"", text,
                            "\" is not $ and 1 to 7 letters or digits, letter first; in a "
                            "shell put it in single quotes"));
  }
  return upper;
}

absl::StatusOr<NameDefaults> ParseDefaults(std::string_view text, const NameDefaults& current) {
  if (text.starts_with('.')) return IllegalName(text, kShellHint);
  NameDefaults result = current;
  std::vector<std::string> parts = absl::StrSplit(absl::AsciiStrToUpper(ToAbsl(text)), '.');
  size_t next = 0;
  if (next < parts.size() && !parts[next].empty() && parts[next].front() == '\\') {
    if (!IsPart(std::string_view(parts[next]).substr(1), kSystemPartLength, false)) {
      return IllegalName(text, "the node is not \\ and 1 to 7 letters or digits, letter first");
    }
    result.node = parts[next++];
  }
  if (next < parts.size() && !parts[next].empty() && parts[next].front() == '$') {
    absl::StatusOr<std::string> volume = ParseVolumeName(parts[next++]);
    if (!volume.ok()) return volume.status();
    result.volume = *volume;
  }
  if (next < parts.size()) {
    if (next + 1 != parts.size() || !IsPart(parts[next], kNamePartLength, false)) {
      return IllegalName(text, "the subvolume is not 1 to 8 letters or digits, letter first");
    }
    result.subvolume = parts[next];
  }
  return result;
}

bool MatchesPart(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    for (size_t skip = 0; skip <= text.size(); ++skip) {
      if (MatchesPart(pattern.substr(1), text.substr(skip))) return true;
    }
    return false;
  }
  if (text.empty()) return false;
  return (pattern.front() == '?' || pattern.front() == text.front()) &&
         MatchesPart(pattern.substr(1), text.substr(1));
}

bool MatchesFileset(const FileName& fileset, const FileName& name) {
  return MatchesPart(fileset.volume, name.volume) &&
         MatchesPart(fileset.subvolume, name.subvolume) && MatchesPart(fileset.file, name.file);
}

}  // namespace quire
