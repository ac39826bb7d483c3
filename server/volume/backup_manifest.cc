#include "server/volume/backup_manifest.h"

#include <xxhash.h>

#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "quire/text.h"
#include "server/volume/backup_errors.h"

namespace quire {
namespace {

constexpr std::string_view kFirstLine = "quire-backup 1";
constexpr std::string_view kAnyFirstLine = "quire-backup ";

std::string HexOf(uint64_t number) {
  return StrCat(absl::Hex(number, absl::kZeroPad16));
}

bool ParseHex(std::string_view text, uint64_t* number) {
  return absl::SimpleHexAtoi(ToAbsl(text), number);
}

std::string EndLine(std::string_view text) {
  return StrCat("end ", HexOf(XXH3_64bits(text.data(), text.size())), "\n");
}

// One line but the first and the last. False when it is none.
bool ParseLine(const std::vector<std::string>& words, BackupManifest* manifest) {
  if (words.size() == 4 && words[0] == "file") {
    BackupManifest::File file{words[1], {}};
    if (!absl::SimpleAtoi(words[2], &file.sum.bytes) || !ParseHex(words[3], &file.sum.checksum)) {
      return false;
    }
    manifest->files.push_back(std::move(file));
    return true;
  }
  if (words.size() != 2) return false;
  const std::string& key = words[0];
  const std::string& value = words[1];
  if (key == "volume") manifest->volume = value;
  if (key == "volume") return true;
  if (key == "volume-id") return ParseHex(value, &manifest->volume_id);
  if (key == "control-point-lsn") return absl::SimpleAtoi(value, &manifest->control_point_lsn);
  if (key == "control-point-time") return absl::SimpleAtoi(value, &manifest->control_point_time_us);
  if (key == "last-lsn") return absl::SimpleAtoi(value, &manifest->last_lsn);
  if (key == "last-time") return absl::SimpleAtoi(value, &manifest->last_time_us);
  return false;
}

}  // namespace

uint64_t BackupManifest::bytes() const {
  uint64_t sum = 0;
  for (const File& file : files) sum += file.sum.bytes;
  return sum;
}

std::string EncodeManifest(const BackupManifest& manifest) {
  std::string text =
      StrCat(kFirstLine, "\nvolume ", manifest.volume, "\nvolume-id ", HexOf(manifest.volume_id),
             "\ncontrol-point-lsn ", manifest.control_point_lsn, "\ncontrol-point-time ",
             manifest.control_point_time_us, "\nlast-lsn ", manifest.last_lsn, "\nlast-time ",
             manifest.last_time_us, "\n");
  for (const BackupManifest::File& file : manifest.files) {
    StrAppend(&text, "file ", file.name, " ", file.sum.bytes, " ", HexOf(file.sum.checksum), "\n");
  }
  return text + EndLine(text);
}

absl::StatusOr<BackupManifest> ParseManifest(std::string_view text, std::string_view directory) {
  const size_t last_line = text.rfind("end ");
  if (last_line == std::string_view::npos ||
      text.substr(last_line) != EndLine(text.substr(0, last_line))) {
    return volume_error::NotABackup(directory, "its manifest is cut off or was changed");
  }
  BackupManifest manifest;
  const std::vector<std::string> lines =
      absl::StrSplit(ToAbsl(text.substr(0, last_line)), '\n', absl::SkipEmpty());
  if (lines.empty() || lines[0] != kFirstLine) {
    const bool newer = !lines.empty() && lines[0].starts_with(kAnyFirstLine);
    return volume_error::NotABackup(
        directory, newer ? StrCat("its manifest begins \"", lines[0], "\", this program knows \"",
                                  kFirstLine, "\"")
                         : std::string("its manifest has no first line"));
  }
  for (size_t i = 1; i < lines.size(); ++i) {
    if (!ParseLine(absl::StrSplit(lines[i], ' '), &manifest)) {
      return volume_error::NotABackup(directory, StrCat("manifest line ", i + 1, " is unknown"));
    }
  }
  return manifest;
}

absl::StatusOr<BackupManifest> ReadBackup(const std::string& directory) {
  std::ifstream in(StrCat(directory, "/", kManifestName), std::ios::binary);
  if (!in.is_open()) return volume_error::NotABackup(directory, "it has no manifest");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  absl::StatusOr<BackupManifest> manifest = ParseManifest(text, directory);
  if (!manifest.ok()) return manifest.status();
  for (const BackupManifest::File& file : manifest->files) {
    const std::string path = StrCat(directory, "/", file.name);
    FileSum found;
    if (const int error = SumFile(path, &found)) {
      return volume_error::BackupDamaged(path, std::generic_category().message(error));
    }
    if (found.bytes != file.sum.bytes) {
      return volume_error::BackupDamaged(path,
                                         StrCat(found.bytes, " bytes instead of ", file.sum.bytes));
    }
    if (found != file.sum) return volume_error::BackupDamaged(path, "its checksum differs");
  }
  return manifest;
}

}  // namespace quire
