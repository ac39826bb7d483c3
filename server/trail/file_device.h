// TrailDevice in a directory of its own: files "<16 hex digits>.trail"; other names are left alone.
#ifndef QUIRE_SERVER_TRAIL_FILE_DEVICE_H_
#define QUIRE_SERVER_TRAIL_FILE_DEVICE_H_

#include <memory>
#include <string>

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

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_FILE_DEVICE_H_
