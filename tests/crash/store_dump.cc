#include "tests/crash/store_dump.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "quire/error.h"
#include "quire/text.h"
#include "server/keyseq/file_label.h"
#include "server/volume/control_point.h"

namespace quire::test {
namespace {

constexpr size_t kMostShown = 200;  // bytes of a value in a message

std::string Shown(const std::map<std::string, std::string>& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) return "absent";
  return absl::CHexEscape(found->second.substr(0, kMostShown));
}

void DumpBlocks(BlockStore& store, const FileLabel& label, StoreDump* dump) {
  std::string image(ImageBytes(label.attributes.block_bytes), '\0');
  for (BlockNumber block = 0; block < label.tree.eof_blocks; ++block) {
    const absl::Status read = store.ReadBlock(label.id, block, absl::MakeSpan(image));
    dump->values[StrCat("block ", label.id, "/", block)] = read.ok() ? image : Describe(read);
  }
}

void DumpMeta(BlockStore& store, const std::string& name, StoreDump* dump) {
  const absl::StatusOr<std::optional<std::string>> bytes = store.ReadMeta(name);
  std::string& value = dump->values["meta " + name];
  if (!bytes.ok() || !bytes->has_value()) {
    value = Describe(bytes.status());
    return;
  }
  value = **bytes;
  if (name != meta_key::kControlPoint) return;
  absl::StatusOr<ControlPointMeta> meta = DecodeControlPointMeta(value);
  if (!meta.ok()) return;
  dump->change_sequence = meta->change_sequence;
  meta->epoch = 0;
  value = EncodeControlPointMeta(*meta);
}

}  // namespace

StoreDump DumpStore(BlockStore& store) {
  StoreDump dump;
  for (const char* const name :
       {meta_key::kVolume, meta_key::kControlPoint, meta_key::kSavedAnswers}) {
    DumpMeta(store, name, &dump);
  }
  const absl::StatusOr<std::map<FileId, std::string>> labels = store.ReadLabels();
  if (!labels.ok()) {
    dump.values["labels"] = Describe(labels.status());
    return dump;
  }
  for (const auto& [id, bytes] : *labels) {
    absl::StatusOr<FileLabel> label = DecodeLabel(bytes);
    if (!label.ok()) {
      dump.values[StrCat("label ", id)] = bytes;
      continue;
    }
    label->modified_us = label->last_open_us = 0;
    dump.values[StrCat("label ", id)] = EncodeLabel(*label);
    DumpBlocks(store, *label, &dump);
  }
  return dump;
}

std::string FirstDifference(const StoreDump& before, const StoreDump& after) {
  for (const auto* const values : {&before.values, &after.values}) {
    for (const auto& [name, value] : *values) {
      const std::string left = Shown(before.values, name);
      const std::string right = Shown(after.values, name);
      const auto first = before.values.find(name);
      const auto second = after.values.find(name);
      const bool both = first != before.values.end() && second != after.values.end();
      if (both && first->second == second->second) continue;
      return StrCat(name, " was ", left, ", then ", right);
    }
  }
  return "";
}

}  // namespace quire::test
