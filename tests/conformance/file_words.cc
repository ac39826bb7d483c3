#include "tests/conformance/file_words.h"

#include <cstdint>
#include <map>
#include <string>

#include "absl/strings/numbers.h"
#include "quire/text.h"

namespace quire::conformance {
namespace {

constexpr uint64_t kDefaultExtentPages = 100;

absl::Status NotANumber(const Word& word) {
  return absl::InvalidArgumentError(StrCat(word.option, "=", word.text, " is not a number"));
}

// part=$DATA02:KEY
absl::Status ReadPart(const Word& word, FileAttributes* attributes) {
  const size_t colon = word.text.find(':');
  if (colon == std::string::npos) return absl::InvalidArgumentError("part=$VOLUME:KEY");
  attributes->partitions.push_back({.volume = word.text.substr(0, colon),
                                    .extents = attributes->extents,
                                    .partial_key = word.text.substr(colon + 1)});
  return absl::OkStatus();
}

// lookaside=FREEZE
absl::Status ReadLookaside(const Word& word, FileAttributes* attributes) {
  for (Lookaside lookaside : {Lookaside::kOff, Lookaside::kNoFreeze, Lookaside::kFreeze}) {
    if (word.text != LookasideName(lookaside)) continue;
    attributes->lookaside = lookaside;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError("lookaside=OFF, NOFREEZE or FREEZE");
}

absl::Status ReadAttribute(const Word& word, FileAttributes* attributes) {
  if (word.option == "part") return ReadPart(word, attributes);
  if (word.option == "type" && word.text.size() == 1) {
    attributes->type = word.text[0];
    return absl::OkStatus();
  }
  if (word.option == "lookaside") return ReadLookaside(word, attributes);
  uint64_t number = 0;
  if (!absl::SimpleAtoi(word.text, &number)) return NotANumber(word);
  const auto value = static_cast<uint32_t>(number);
  const std::map<std::string, uint32_t*> numbers = {
      {"keylen", &attributes->key_length},      {"keyoff", &attributes->key_offset},
      {"rec", &attributes->record_bytes},       {"block", &attributes->block_bytes},
      {"format", &attributes->format},          {"code", &attributes->code},
      {"maxextents", &attributes->max_extents}, {"locklength", &attributes->lock_length}};
  if (word.option == "ext") {
    attributes->extents = {number, number};
  } else if (word.option == "buffered") {
    attributes->buffered = value != 0;
  } else if (word.option == "audit") {
    attributes->audit = value != 0;
  } else if (numbers.contains(word.option)) {
    *numbers.at(word.option) = value;
  } else {
    return absl::InvalidArgumentError(StrCat("no attribute is called ", word.option));
  }
  return absl::OkStatus();
}

}  // namespace

FileAttributes DefaultAttributes() {
  FileAttributes attributes;
  attributes.key_length = 2;
  attributes.record_bytes = 40;
  attributes.block_bytes = 512;
  attributes.extents = {kDefaultExtentPages, kDefaultExtentPages};
  // Nothing here is about what a crash leaves, and a durable reply for each step takes its time.
  attributes.buffered = true;
  return attributes;
}

absl::StatusOr<FileAttributes> ReadAttributes(const std::vector<Word>& words) {
  FileAttributes attributes = DefaultAttributes();
  for (const Word& word : words) {
    absl::Status read = ReadAttribute(word, &attributes);
    if (!read.ok()) return read;
  }
  return attributes;
}

}  // namespace quire::conformance
