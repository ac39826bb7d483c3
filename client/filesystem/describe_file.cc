#include "client/filesystem/describe_file.h"

#include <utility>

#include "client/filesystem/await.h"
#include "client/filesystem/create_file.h"
#include "client/filesystem/errors.h"

namespace quire {
namespace {

absl::StatusOr<FileInfo> PrimaryOf(absl::StatusOr<FileDescription> description,
                                   const std::string& volume) {
  if (!description.ok()) {
    return filesystem_errors::AsReadFailure(description.status(), volume);
  }
  return std::move(description->primary);
}

}  // namespace

absl::StatusOr<FileInfo> PartitionInfo(const VolumeSet& volumes, const FileReference& file) {
  absl::StatusOr<std::shared_ptr<Service>> volume = volumes.Find(file.name.volume);
  if (!volume.ok()) return volume.status();
  return PrimaryOf(Await<absl::StatusOr<FileDescription>>(
                       [&](auto done) { (*volume)->Info(file, std::move(done)); }),
                   file.name.volume);
}

std::vector<absl::StatusOr<FileInfo>> SecondaryInfos(const VolumeSet& volumes,
                                                     const FileInfo& primary) {
  const std::vector<PartitionAddress> addresses = SecondaryAddresses(primary);
  auto answers = AwaitAll<absl::StatusOr<FileDescription>>(
      addresses, [&](const PartitionAddress& address, auto done) {
        absl::StatusOr<std::shared_ptr<Service>> volume = volumes.Find(address.file.name.volume);
        if (!volume.ok()) {
          done(volume.status());
          return;
        }
        (*volume)->Info(address.file, std::move(done));
      });
  std::vector<absl::StatusOr<FileInfo>> infos;
  infos.reserve(answers.size());
  for (size_t i = 0; i < answers.size(); ++i) {
    infos.push_back(PrimaryOf(std::move(answers[i]), addresses[i].file.name.volume));
  }
  return infos;
}

absl::StatusOr<FileDescription> DescribeFile(const VolumeSet& volumes, const FileReference& file) {
  absl::StatusOr<FileInfo> primary = PartitionInfo(volumes, file);
  if (!primary.ok()) return primary.status();
  FileDescription description;
  // A volume may describe a secondary asked for by its own name; that partition is all there is.
  if (primary->partition == 0) {
    if (!primary->confirmed) primary->confirmed = FinishCreate(volumes, *primary).ok();
    description.secondaries = SecondaryInfos(volumes, *primary);
  }
  description.primary = *std::move(primary);
  return description;
}

}  // namespace quire
