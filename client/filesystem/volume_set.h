// The volumes of a volume map, as services. Immutable; any thread.
#ifndef QUIRE_CLIENT_FILESYSTEM_VOLUME_SET_H_
#define QUIRE_CLIENT_FILESYSTEM_VOLUME_SET_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "quire/file_info.h"
#include "quire/service.h"

namespace quire {

class VolumeSet {
 public:
  // "$DATA01" -> service; no null pointers.
  explicit VolumeSet(std::map<std::string, std::shared_ptr<Service>> services)
      : services_(std::move(services)) {}

  // 14 when the volume is not in the map.
  absl::StatusOr<std::shared_ptr<Service>> Find(const std::string& volume) const;

  // Sorted.
  std::vector<std::string> Names() const;

 private:
  std::map<std::string, std::shared_ptr<Service>> services_;
};

// One partition of a file as a call to its volume needs it.
struct PartitionAddress {
  uint32_t partition = 0;
  FileReference file;  // name on the partition's volume, create_id of the file
};

// Volume of partition 0 (the primary) … PartitionCount - 1 of the file whose primary's label is
// `primary`.
const std::string& PartitionVolume(const FileInfo& primary, uint32_t partition);
PartitionAddress AddressOf(const FileInfo& primary, uint32_t partition);
// Of all secondaries, in partition order.
std::vector<PartitionAddress> SecondaryAddresses(const FileInfo& primary);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_VOLUME_SET_H_
