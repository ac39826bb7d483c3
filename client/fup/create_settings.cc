#include "client/fup/create_settings.h"

#include <utility>

#include "client/fup/errors.h"
#include "quire/file_name.h"

namespace quire {
namespace {

ExtentSizes Sizes(const CreateParameter& parameter, const FileAttributes& attributes) {
  const RecordShape shape{attributes.record_bytes, attributes.block_bytes, attributes.key_length};
  return {ExtentPages(parameter.primary, shape), ExtentPages(parameter.secondary, shape)};
}

absl::Status ApplyPartition(const CreateParameter& parameter, CreateSettings& settings) {
  absl::StatusOr<std::string> volume = ParseVolumeName(parameter.name);
  if (!volume.ok()) return OnFile(parameter.name, volume.status());
  settings.partitions[parameter.number] = PartitionSpec{
      *std::move(volume), Sizes(parameter, settings.attributes), parameter.partial_key};
  return absl::OkStatus();
}

// BUFFERED, unless it was said, is on with AUDIT and off without.
void SetAudit(bool on, CreateSettings& settings) {
  settings.attributes.audit = on;
  if (!settings.buffered_set) settings.attributes.buffered = on;
}

void ResetOne(CreateKeyword keyword, CreateSettings& settings) {
  const FileAttributes defaults;
  FileAttributes& a = settings.attributes;
  switch (keyword) {
    case CreateKeyword::kType:
      a.type = defaults.type;
      break;
    case CreateKeyword::kFormat:
      a.format = defaults.format;
      break;
    case CreateKeyword::kCode:
      a.code = defaults.code;
      break;
    case CreateKeyword::kExt:
      a.extents = defaults.extents;
      break;
    case CreateKeyword::kMaxExtents:
      a.max_extents = defaults.max_extents;
      break;
    case CreateKeyword::kRec:
      a.record_bytes = defaults.record_bytes;
      break;
    case CreateKeyword::kBlock:
      a.block_bytes = defaults.block_bytes;
      break;
    case CreateKeyword::kKeyLen:
      a.key_length = defaults.key_length;
      break;
    case CreateKeyword::kKeyOff:
      a.key_offset = defaults.key_offset;
      break;
    case CreateKeyword::kLockLength:
      a.lock_length = defaults.lock_length;
      break;
    case CreateKeyword::kPart:
      settings.partitions.clear();
      break;
    case CreateKeyword::kBuffered:
      settings.buffered_set = false;
      a.buffered = a.audit;
      break;
    case CreateKeyword::kAudit:
      SetAudit(defaults.audit, settings);
      break;
    case CreateKeyword::kLookaside:
      a.lookaside = defaults.lookaside;
      break;
    case CreateKeyword::kIblock:
    case CreateKeyword::kLike:
    case CreateKeyword::kAlwaysSo:
      break;
  }
}

}  // namespace

absl::Status ApplyParameter(const CreateParameter& parameter, CreateSettings& settings) {
  FileAttributes& a = settings.attributes;
  switch (parameter.keyword) {
    case CreateKeyword::kType:
      a.type = parameter.name.front();
      break;
    case CreateKeyword::kFormat:
      a.format = parameter.number;
      break;
    case CreateKeyword::kCode:
      a.code = parameter.number;
      break;
    case CreateKeyword::kExt:
      a.extents = Sizes(parameter, a);
      break;
    case CreateKeyword::kMaxExtents:
      a.max_extents = parameter.number;
      break;
    case CreateKeyword::kRec:
      a.record_bytes = parameter.number;
      break;
    case CreateKeyword::kBlock:
      a.block_bytes = parameter.number;
      break;
    case CreateKeyword::kKeyLen:
      a.key_length = parameter.number;
      break;
    case CreateKeyword::kKeyOff:
      a.key_offset = parameter.number;
      break;
    case CreateKeyword::kLockLength:
      a.lock_length = parameter.number;
      break;
    case CreateKeyword::kPart:
      return ApplyPartition(parameter, settings);
    case CreateKeyword::kBuffered:
      settings.buffered_set = true;
      a.buffered = parameter.on;
      break;
    case CreateKeyword::kAudit:
      SetAudit(parameter.on, settings);
      break;
    case CreateKeyword::kLookaside:
      a.lookaside = parameter.lookaside;
      break;
    case CreateKeyword::kIblock:  // index blocks are as large as data blocks
    case CreateKeyword::kLike:
    case CreateKeyword::kAlwaysSo:
      break;
  }
  return absl::OkStatus();
}

void ApplyLike(const FileAttributes& attributes, CreateSettings& settings) {
  settings = SettingsOf(attributes);
}

void ResetSettings(absl::Span<const CreateKeyword> keywords, CreateSettings& settings) {
  if (keywords.empty()) settings = CreateSettings{};
  for (CreateKeyword keyword : keywords) ResetOne(keyword, settings);
}

absl::StatusOr<FileAttributes> AttributesOf(const CreateSettings& settings) {
  FileAttributes attributes = settings.attributes;
  if (attributes.audit && !attributes.buffered) return fup_errors::AuditIsBuffered();
  for (const auto& [number, partition] : settings.partitions) {
    const uint32_t expected = static_cast<uint32_t>(attributes.partitions.size()) + 1;
    if (number != expected) {
      return fup_errors::PartitionNumberMissing(expected, settings.partitions.rbegin()->first);
    }
    attributes.partitions.push_back(partition);
  }
  return attributes;
}

CreateSettings SettingsOf(const FileAttributes& attributes) {
  CreateSettings settings;
  settings.attributes = attributes;
  settings.buffered_set = attributes.buffered != attributes.audit;
  settings.attributes.partitions.clear();
  uint32_t number = 0;
  for (const PartitionSpec& partition : attributes.partitions) {
    settings.partitions.emplace(++number, partition);
  }
  return settings;
}

}  // namespace quire
