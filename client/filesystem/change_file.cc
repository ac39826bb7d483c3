#include "client/filesystem/change_file.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "client/filesystem/await.h"
#include "client/filesystem/describe_file.h"
#include "client/filesystem/errors.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

// A volume that answers but has no partition of this file: an earlier PURGE or CREATE ended
// half-way there.
bool IsMissing(const absl::Status& status) {
  return NumberOf(status) == ErrorNumber::kNotFound || NumberOf(status) == ErrorNumber::kReopen;
}

absl::Status PurgePartition(const VolumeSet& volumes, const PartitionAddress& address) {
  PurgeRequest request;
  request.file = address.file;
  request.partition_only = true;
  absl::StatusOr<std::shared_ptr<Service>> volume = volumes.Find(address.file.name.volume);
  if (!volume.ok()) return volume.status();
  return Await<absl::Status>(
      [&](auto done) { (*volume)->Purge(std::move(request), std::move(done)); });
}

// Ends the file. A lost answer is made up for by asking for the label.
absl::Status PurgePrimary(const VolumeSet& volumes, const FileInfo& primary) {
  const absl::Status purged = PurgePartition(volumes, AddressOf(primary, 0));
  if (RetryOf(purged) != Retry::kOutcomeUnknown) return purged;
  const absl::Status label = PartitionInfo(volumes, AddressOf(primary, 0).file).status();
  return IsMissing(label) ? absl::OkStatus() : purged;
}

void AddVolume(std::string* list, const std::string& volume) {
  StrAppend(list, list->empty() ? "" : ", ", volume);
}

absl::Status AlterPartition(const VolumeSet& volumes, AlterRequest request,
                            const PartitionAddress& address) {
  request.file = address.file;
  absl::StatusOr<std::shared_ptr<Service>> volume = volumes.Find(address.file.name.volume);
  if (!volume.ok()) return volume.status();
  return Await<absl::Status>(
      [&](auto done) { (*volume)->Alter(std::move(request), std::move(done)); });
}

}  // namespace

absl::Status PurgeFile(const VolumeSet& volumes, const PurgeRequest& request) {
  const absl::StatusOr<FileInfo> primary = PartitionInfo(volumes, request.file);
  if (!primary.ok()) return primary.status();
  if (primary->partition != 0) {
    return filesystem_errors::SecondaryByName(request.file.name, primary->primary_volume);
  }
  uint32_t opens = primary->open_count;
  for (const absl::StatusOr<FileInfo>& secondary : SecondaryInfos(volumes, *primary)) {
    if (secondary.ok()) {
      opens = std::max(opens, secondary->open_count);
    } else if (!IsMissing(secondary.status())) {
      return secondary.status();
    }
  }
  if (opens > 0) return filesystem_errors::FileIsOpen(primary->name, opens);

  if (absl::Status s = PurgePrimary(volumes, *primary); !s.ok()) return s;
  std::string remaining;
  for (const PartitionAddress& address : SecondaryAddresses(*primary)) {
    const absl::Status purged = PurgePartition(volumes, address);
    if (!purged.ok() && !IsMissing(purged)) AddVolume(&remaining, address.file.name.volume);
  }
  if (remaining.empty()) return absl::OkStatus();
  return filesystem_errors::PurgedButPartitionRemains(primary->name, remaining);
}

absl::Status AlterFile(const VolumeSet& volumes, const AlterRequest& request) {
  if (request.step) return filesystem_errors::StepIsInternal();
  const absl::StatusOr<FileInfo> primary = PartitionInfo(volumes, request.file);
  if (!primary.ok()) return primary.status();
  if (primary->partition != 0) {
    return filesystem_errors::SecondaryByName(request.file.name, primary->primary_volume);
  }
  for (const absl::StatusOr<FileInfo>& secondary : SecondaryInfos(volumes, *primary)) {
    if (!secondary.ok()) return secondary.status();
  }
  std::string failed;
  bool altered = false;
  absl::Status first_failure;
  for (uint32_t i = PartitionCount(primary->attributes); i-- > 0;) {
    const PartitionAddress address = AddressOf(*primary, i);
    const absl::Status status = AlterPartition(volumes, request, address);
    if (status.ok()) {
      altered = true;
      continue;
    }
    first_failure.Update(status);
    AddVolume(&failed, address.file.name.volume);
    // A value that one volume refuses is refused by all: leave the file as it was.
    if (!altered) return first_failure;
  }
  if (failed.empty()) return absl::OkStatus();
  return filesystem_errors::AlteredInPart(primary->name, failed);
}

}  // namespace quire
