// TrailDevice in a directory of its own: files "<16 hex digits>.trail".
#ifndef QUIRE_SERVER_TRAIL_FILE_DEVICE_H_
#define QUIRE_SERVER_TRAIL_FILE_DEVICE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "server/trail/trail_device.h"

namespace quire {

absl::StatusOr<std::unique_ptr<TrailDevice>> OpenFileDevice(const std::string& directory,
                                                            TrailSync sync);

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_FILE_DEVICE_H_
