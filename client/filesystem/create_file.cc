#include "client/filesystem/create_file.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "client/filesystem/await.h"
#include "client/filesystem/describe_file.h"
#include "client/filesystem/errors.h"
#include "client/filesystem/new_id.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace {

CreateRequest PartitionRequest(const CreateRequest& file, uint32_t partition) {
  CreateRequest request = file;
  request.partition_only = true;
  request.partition = partition;
  request.primary_volume = file.name.volume;
  if (partition > 0) {
    request.name = file.name.OnVolume(file.attributes.partitions[partition - 1].volume);
  }
  return request;
}

absl::StatusOr<FileInfo> CreatePartition(const VolumeSet& volumes, const CreateRequest& file,
                                         uint32_t partition) {
  CreateRequest request = PartitionRequest(file, partition);
  absl::StatusOr<std::shared_ptr<Service>> volume = volumes.Find(request.name.volume);
  if (!volume.ok()) return volume.status();
  return Await<absl::StatusOr<FileInfo>>(
      [&](auto done) { (*volume)->Create(std::move(request), std::move(done)); });
}

absl::Status SendStep(const VolumeSet& volumes, const FileInfo& primary, uint32_t partition,
                      PartitionStep step) {
  AlterRequest request;
  request.file = AddressOf(primary, partition).file;
  request.step = step;
  absl::StatusOr<std::shared_ptr<Service>> volume = volumes.Find(request.file.name.volume);
  if (!volume.ok()) return volume.status();
  return Await<absl::Status>(
      [&](auto done) { (*volume)->Alter(std::move(request), std::move(done)); });
}

absl::StatusOr<FileInfo> LabelOf(const VolumeSet& volumes, const FileName& name) {
  FileReference file;
  file.name = name;
  return PartitionInfo(volumes, file);
}

// The volume has no partition of this file (a volume may say so with either number).
bool IsMissing(const absl::Status& status) {
  return NumberOf(status) == ErrorNumber::kNotFound || NumberOf(status) == ErrorNumber::kReopen;
}

absl::Status CheckVolumes(const VolumeSet& volumes, const CreateRequest& file) {
  if (auto primary = volumes.Find(file.name.volume); !primary.ok()) return primary.status();
  for (uint32_t i = 1; i < PartitionCount(file.attributes); ++i) {
    const std::string& volume = file.attributes.partitions[i - 1].volume;
    if (volume == file.name.volume) return filesystem_errors::PartOnPrimaryVolume(i, volume);
    if (!volumes.Find(volume).ok()) return filesystem_errors::PartOnUnknownVolume(i, volume);
  }
  return absl::OkStatus();
}

absl::Status CheckFree(const VolumeSet& volumes, const FileName& name) {
  const absl::StatusOr<FileInfo> label = LabelOf(volumes, name);
  if (label.ok()) return filesystem_errors::FileExists(name);
  switch (NumberOf(label.status())) {
    case ErrorNumber::kNotFound:
      return absl::OkStatus();
    case ErrorNumber::kPartitionMissing:  // a secondary partition has the name
      return filesystem_errors::FileExists(name);
    default:
      return label.status();
  }
}

// Purges partitions `first` … `last` as far as they can be reached. Failures are left to the
// volumes, which remove pending partitions by themselves.
void Undo(const VolumeSet& volumes, const CreateRequest& file, uint32_t first, uint32_t last) {
  for (uint32_t i = first; i <= last; ++i) {
    PurgeRequest request;
    request.file.name = PartitionRequest(file, i).name;
    request.file.create_id = file.create_id;
    request.partition_only = true;
    absl::StatusOr<std::shared_ptr<Service>> volume = volumes.Find(request.file.name.volume);
    if (!volume.ok()) continue;
    // The outcome decides nothing any more.
    Await<absl::Status>([&](auto done) {
      (*volume)->Purge(std::move(request), std::move(done));
    }).IgnoreError();
  }
}

// The commit. When its answer is lost, the primary itself says what happened; the secondaries are
// undone only when it is certain that it did not.
absl::StatusOr<FileInfo> Commit(const VolumeSet& volumes, const CreateRequest& file) {
  const uint32_t secondaries = PartitionCount(file.attributes) - 1;
  absl::StatusOr<FileInfo> primary = CreatePartition(volumes, file, 0);
  if (primary.ok()) return primary;
  if (RetryOf(primary.status()) == Retry::kOutcomeUnknown) {
    absl::StatusOr<FileInfo> label = LabelOf(volumes, file.name);
    if (label.ok() && label->create_id == file.create_id) return label;
    if (!label.ok() && NumberOf(label.status()) != ErrorNumber::kNotFound) {
      return filesystem_errors::CreateOutcomeUnknown(file.name, ToStd(primary.status().message()));
    }
  }
  Undo(volumes, file, 1, secondaries);
  return primary;
}

}  // namespace

absl::StatusOr<FileInfo> CreateFile(const VolumeSet& volumes, CreateRequest request) {
  absl::StatusOr<FileAttributes> attributes = Normalize(request.attributes);
  if (!attributes.ok()) return attributes.status();
  request.attributes = *std::move(attributes);
  if (absl::Status s = CheckVolumes(volumes, request); !s.ok()) return s;
  if (absl::Status s = CheckFree(volumes, request.name); !s.ok()) return s;

  request.create_id = NewId();
  for (uint32_t i = 1; i < PartitionCount(request.attributes); ++i) {
    absl::StatusOr<FileInfo> secondary = CreatePartition(volumes, request, i);
    if (!secondary.ok()) {
      // This one too, when it may have been made without our knowing.
      const bool unknown = RetryOf(secondary.status()) == Retry::kOutcomeUnknown;
      Undo(volumes, request, 1, unknown ? i : i - 1);
      return filesystem_errors::AsReadFailure(secondary.status(),
                                              request.attributes.partitions[i - 1].volume);
    }
  }
  absl::StatusOr<FileInfo> primary = Commit(volumes, request);
  if (!primary.ok()) return primary;
  if (!primary->confirmed) {
    // The file exists now, whatever happens here; what is left undone is done at its next open.
    primary->confirmed = FinishCreate(volumes, *primary).ok();
  }
  return primary;
}

absl::Status FinishCreate(const VolumeSet& volumes, const FileInfo& primary) {
  CreateRequest request;
  request.name = primary.name;
  request.attributes = primary.attributes;
  request.owner_group = primary.owner_group;
  request.owner_user = primary.owner_user;
  request.security = primary.security;
  request.create_id = primary.create_id;
  absl::Status first_failure;
  for (uint32_t i = 1; i < PartitionCount(primary.attributes); ++i) {
    absl::Status told = SendStep(volumes, primary, i, PartitionStep::kConfirm);
    if (IsMissing(told)) {
      told = CreatePartition(volumes, request, i).status();
      if (told.ok()) told = SendStep(volumes, primary, i, PartitionStep::kConfirm);
    }
    first_failure.Update(told);
  }
  if (!first_failure.ok()) return first_failure;
  return SendStep(volumes, primary, 0, PartitionStep::kConfirmed);
}

}  // namespace quire
