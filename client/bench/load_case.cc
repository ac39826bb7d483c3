#include "client/bench/load_case.h"

#include <algorithm>

#include "absl/strings/str_format.h"
#include "client/bench/errors.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr uint32_t kSecondaries = 10;
constexpr ExtentSizes kLargeExtents = {150000, 150000};
constexpr ExtentSizes kEmptyPrimaryExtents = {2, 2};
constexpr uint32_t kArticleMaxExtents = 40;
constexpr uint32_t kConstantKeyBytes = 2;  // the report key's first bytes, left out of C's key

std::string VolumeName(uint32_t number) {
  return absl::StrFormat("$DATA%02d", number);
}

}  // namespace

absl::StatusOr<std::vector<Config>> ParseConfigs(std::string_view text) {
  std::vector<Config> configs;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.size() != 1 || word[0] < 'A' || word[0] > 'E') {
      return BadOption("configurations",
                       StrCat("'", word, "' is not one of A to E; give e.g. A,B,D"));
    }
    const Config config{word[0]};
    if (std::find(configs.begin(), configs.end(), config) != configs.end()) {
      return BadOption("configurations",
                       StrCat(word, " is given twice; --repeat runs each several times"));
    }
    configs.push_back(config);
  }
  if (configs.empty()) return BadOption("configurations", "give at least one of A to E");
  return configs;
}

bool IsWriteThrough(Config config) {
  return config == Config::kA;
}

bool IsAudited(Config config) {
  return config == Config::kD || config == Config::kE;
}

bool IsPartitioned(Config config) {
  return config == Config::kC || config == Config::kE;
}

std::string_view ModeName(Config config) {
  if (IsWriteThrough(config)) return "write-through";
  return IsAudited(config) ? "audit" : "buffered";
}

std::string_view LostByCrash(Config config) {
  return IsWriteThrough(config) || IsAudited(config) ? "nothing" : "since control point";
}

std::string TitleOf(const LoadCase& load_case) {
  std::string title(1, static_cast<char>(load_case.config));
  if (!load_case.one_at_a_time()) title.append(" pipelined");
  return title;
}

FileName FileOf(Config config) {
  return {.node = "",
          .volume = VolumeName(1),
          .subvolume = "MEASURE",
          .file = IsPartitioned(config) ? "OUTFILE2" : "OUTFILE"};
}

FileAttributes AttributesOf(Config config, const InputOptions& input) {
  FileAttributes attributes;
  attributes.format = 2;
  attributes.extents = kLargeExtents;
  attributes.max_extents = kArticleMaxExtents;
  attributes.record_bytes = input.record_bytes;
  attributes.block_bytes = 4096;
  attributes.key_length = input.key_length;
  attributes.buffered = !IsWriteThrough(config);
  attributes.audit = IsAudited(config);
  if (!IsPartitioned(config)) return attributes;
  if (!input.csv) {
    attributes.key_offset = kConstantKeyBytes;
    attributes.key_length = input.key_length - kConstantKeyBytes;
  }
  attributes.extents = kEmptyPrimaryExtents;
  for (uint32_t i = 0; i < kSecondaries; ++i) {
    attributes.partitions.push_back({.volume = VolumeName(i + 2),
                                     .extents = kLargeExtents,
                                     .partial_key = absl::StrFormat("%d0", i)});
  }
  return attributes;
}

std::vector<std::string> VolumesOf(Config config) {
  std::vector<std::string> volumes;
  for (uint32_t i = 0; i < PartitionsOf(config); ++i) volumes.push_back(VolumeName(i + 1));
  return volumes;
}

uint32_t PartitionsOf(Config config) {
  return IsPartitioned(config) ? 1 + kSecondaries : 1;
}

}  // namespace bench
}  // namespace quire
