#include "tests/conformance/partition_cut.h"

#include <set>
#include <string_view>

#include "quire/key_range.h"

namespace quire::conformance {
namespace {

void AddKey(std::string_view record, const FileAttributes& attributes,
            std::set<std::string>* keys) {
  if (record.size() < attributes.key_offset + attributes.key_length) return;
  keys->emplace(record.substr(attributes.key_offset, attributes.key_length));
}

std::set<std::string> KeysOf(const Case& which) {
  std::set<std::string> keys;
  for (const std::string& record : which.records) AddKey(record, which.attributes, &keys);
  for (const Step& step : which.steps) {
    if (step.word == "write" || step.word == "load") {
      for (size_t i = 0; i < step.PlainCount(); ++i) {
        AddKey(step.Plain(i), which.attributes, &keys);
      }
    }
  }
  return keys;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ChooseBorders(const Case& which, size_t borders) {
  if (!which.cut.empty()) {
    if (which.cut.size() == borders) return which.cut;
    return absl::InvalidArgumentError("cut names another number of borders");
  }
  const FileAttributes& attributes = which.attributes;
  const size_t length =
      attributes.lock_length == 0 ? attributes.key_length : attributes.lock_length;
  const std::set<std::string> all = KeysOf(which);
  const std::vector<std::string> keys(all.begin(), all.end());
  std::set<std::string> chosen;
  for (size_t i = 1; i <= borders && !keys.empty(); ++i) {
    chosen.insert(keys[i * keys.size() / (borders + 1)].substr(0, length));
  }
  // Too few keys: partitions without records follow.
  if (chosen.empty()) chosen.insert("A");
  while (chosen.size() < borders) {
    const std::string next = PrefixLimit(*chosen.rbegin());
    if (next.empty()) return absl::InvalidArgumentError("no border can be chosen; name them: cut");
    chosen.insert(next);
  }
  return std::vector<std::string>(chosen.begin(), chosen.end());
}

}  // namespace quire::conformance
