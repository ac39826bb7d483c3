// TrailDevice in a directory of its own: files "<16 hex digits>.trail"; other names are left alone.
#ifndef QUIRE_SERVER_TRAIL_FILE_DEVICE_H_
#define QUIRE_SERVER_TRAIL_FILE_DEVICE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "server/trail/trail_device.h"

namespace quire {

// Makes the directory if it is missing (its parent must exist). One device per directory at a time;
// the caller holds the lock of the volume. 22: `sync` is kDirect and the file system cannot do it;
// 66: the directory cannot be opened or written.
absl::StatusOr<std::unique_ptr<TrailDevice>> OpenFileDevice(const std::string& directory,
                                                            TrailSync sync);

// "<16 hex digits>.trail".
std::string SegmentFileName(uint64_t segment);
// The number; nothing for any other name.
std::optional<uint64_t> SegmentOfFileName(std::string_view name);

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_FILE_DEVICE_H_
