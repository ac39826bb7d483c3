#include "tests/unit/fup/memory_file_system.h"

#include <utility>

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr int64_t kCreatedUs = 1576568040000000;  // 17 Dec 2019, 7:34 UTC

absl::Status NotFound() {
  return MakeError(ErrorNumber::kNotFound, "The file does not exist.");
}

}  // namespace

absl::Status MemoryFileSystem::CheckVolume(const std::string& volume) const {
  if (!volumes.contains(volume)) {
    return MakeError(ErrorNumber::kNoSuchVolume,
                     StrCat(volume, " is not in the volume map; add it or use another."));
  }
  if (down.contains(volume)) {
    return MakeError(ErrorNumber::kVolumeDown, StrCat(volume, " does not answer; start it."),
                     Retry::kSafe);
  }
  return absl::OkStatus();
}

absl::StatusOr<FileInfo> MemoryFileSystem::Create(const FileName& name,
                                                  const FileAttributes& attributes) {
  absl::StatusOr<FileAttributes> normalized = Normalize(attributes);
  if (!normalized.ok()) return normalized.status();
  if (absl::Status s = CheckVolume(name.volume); !s.ok()) return s;
  for (const PartitionSpec& partition : normalized->partitions) {
    if (absl::Status s = CheckVolume(partition.volume); !s.ok()) return s;
  }
  if (labels.contains(name)) {
    return MakeError(ErrorNumber::kAlreadyExists, "The file exists; purge it or use another name.");
  }
  FileInfo info;
  info.attributes = *normalized;
  info.primary_volume = name.volume;
  info.owner_group = 10;
  info.owner_user = 1;
  info.security = "GOGO";
  info.created_us = info.modified_us = kCreatedUs;
  info.label_bytes = 352;
  info.create_id = labels.size() + 1;
  for (uint32_t i = 0; i < PartitionCount(*normalized); ++i) {
    info.partition = i;
    info.name = i == 0 ? name : name.OnVolume(normalized->partitions[i - 1].volume);
    labels[info.name] = info;
  }
  return labels[name];
}

absl::StatusOr<FileDescription> MemoryFileSystem::Info(const FileName& name) {
  if (absl::Status s = CheckVolume(name.volume); !s.ok()) return s;
  const auto found = labels.find(name);
  if (found == labels.end()) return NotFound();
  if (found->second.partition > 0) {
    return MakeError(ErrorNumber::kPartitionMissing, "It is a secondary partition.");
  }
  FileDescription description{found->second, {}};
  for (const PartitionSpec& partition : found->second.attributes.partitions) {
    const absl::Status answers = CheckVolume(partition.volume);
    if (answers.ok()) {
      description.secondaries.emplace_back(labels[name.OnVolume(partition.volume)]);
    } else {
      description.secondaries.emplace_back(answers);
    }
  }
  return description;
}

absl::Status MemoryFileSystem::Alter(const FileName& name, const Changes& changes) {
  if (absl::Status s = CheckVolume(name.volume); !s.ok()) return s;
  const auto found = labels.find(name);
  if (found == labels.end()) return NotFound();
  FileAttributes& attributes = found->second.attributes;
  if (changes.lookaside) attributes.lookaside = *changes.lookaside;
  if (changes.audit) attributes.audit = attributes.buffered = *changes.audit;
  if (changes.buffered) attributes.buffered = *changes.buffered;
  if (changes.max_extents) found->second.attributes.max_extents = *changes.max_extents;
  return absl::OkStatus();
}

absl::Status MemoryFileSystem::Purge(const FileName& name) {
  if (absl::Status s = CheckVolume(name.volume); !s.ok()) return s;
  const auto found = labels.find(name);
  if (found == labels.end()) return NotFound();
  const auto answer = on_purge.find(name);
  const absl::Status status = answer == on_purge.end() ? absl::OkStatus() : answer->second;
  if (!status.ok() && NumberOf(status) != ErrorNumber::kPartitionFailure) return status;
  const std::vector<PartitionSpec> partitions = found->second.attributes.partitions;
  for (const PartitionSpec& partition : partitions) labels.erase(name.OnVolume(partition.volume));
  labels.erase(name);
  return status;
}

absl::StatusOr<std::vector<FileInfo>> MemoryFileSystem::List(const FileName& fileset,
                                                             bool pending) {
  std::vector<FileInfo> matching;
  for (const auto& [name, info] : labels) {
    if (info.pending == pending && !down.contains(name.volume) && MatchesFileset(fileset, name)) {
      matching.push_back(info);
    }
  }
  return matching;
}

absl::StatusOr<std::vector<std::string>> MemoryFileSystem::Volumes() {
  return std::vector<std::string>(volumes.begin(), volumes.end());
}

absl::StatusOr<RefreshAnswer> MemoryFileSystem::Refresh(const std::string& volume) {
  if (absl::Status s = CheckVolume(volume); !s.ok()) return s;
  refreshed.push_back(volume);
  return RefreshAnswer{7, 42};
}

absl::StatusOr<BackupAnswer> MemoryFileSystem::Backup(const std::string& volume,
                                                      const std::string& directory) {
  if (absl::Status s = CheckVolume(volume); !s.ok()) return s;
  refreshed.push_back(volume + " " + directory);
  return BackupAnswer{40, 42, 1764531000123456, 8192};
}

absl::StatusOr<MeasureSnapshot> MemoryFileSystem::Snapshot(const std::string& /*volume*/) {
  return MakeError(ErrorNumber::kInvalidOperation, "No counters here.");
}

absl::StatusOr<std::vector<OpenInfo>> MemoryFileSystem::ListOpens(const FileName& name) {
  if (absl::StatusOr<FileDescription> file = Info(name); !file.ok()) return file.status();
  return opens[name];
}

absl::StatusOr<std::vector<LockInfo>> MemoryFileSystem::ListLocks(const FileName& name,
                                                                  bool granted_only) {
  if (absl::StatusOr<FileDescription> file = Info(name); !file.ok()) return file.status();
  std::vector<LockInfo> listed;
  for (const LockInfo& lock : locks[name]) {
    if (lock.granted || !granted_only) listed.push_back(lock);
  }
  return listed;
}

absl::StatusOr<std::vector<PartitionCheck>> MemoryFileSystem::Check(const FileName& name) {
  const absl::StatusOr<FileDescription> file = Info(name);
  if (!file.ok()) return file.status();
  std::vector<FileName> partitions = {name};
  if (file->primary.partition == 0) {
    for (const PartitionSpec& part : file->primary.attributes.partitions) {
      partitions.push_back(FileName{"", part.volume, name.subvolume, name.file});
    }
  }
  std::vector<PartitionCheck> found;
  for (const FileName& partition : partitions) {
    PartitionCheck check = checks[partition];
    check.file = partition;
    check.partition = file->primary.partition + static_cast<uint32_t>(found.size());
    if (down.contains(partition.volume)) check.status = CheckVolume(partition.volume);
    found.push_back(std::move(check));
  }
  return found;
}

absl::StatusOr<std::unique_ptr<File>> MemoryFileSystem::Open(const FileName& /*name*/,
                                                             const FileOpenOptions& /*options*/) {
  return MakeError(ErrorNumber::kInvalidOperation, "No records here.");
}

}  // namespace quire
