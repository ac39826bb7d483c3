#include "client/filesystem/volume_set.h"

#include "client/filesystem/errors.h"

namespace quire {

absl::StatusOr<std::shared_ptr<Service>> VolumeSet::Find(const std::string& volume) const {
  const auto found = services_.find(volume);
  if (found == services_.end()) return filesystem_errors::NoSuchVolume(volume);
  return found->second;
}

std::vector<std::string> VolumeSet::Names() const {
  std::vector<std::string> names;
  names.reserve(services_.size());
  for (const auto& [name, service] : services_) names.push_back(name);
  return names;
}

const std::string& PartitionVolume(const FileInfo& primary, uint32_t partition) {
  return partition == 0 ? primary.name.volume : primary.attributes.partitions[partition - 1].volume;
}

PartitionAddress AddressOf(const FileInfo& primary, uint32_t partition) {
  PartitionAddress address;
  address.partition = partition;
  address.file.name = primary.name.OnVolume(PartitionVolume(primary, partition));
  address.file.create_id = primary.create_id;
  return address;
}

std::vector<PartitionAddress> SecondaryAddresses(const FileInfo& primary) {
  std::vector<PartitionAddress> addresses;
  for (uint32_t i = 1; i < PartitionCount(primary.attributes); ++i) {
    addresses.push_back(AddressOf(primary, i));
  }
  return addresses;
}

}  // namespace quire
