// A trail's directory for reading: nothing in it is created, changed or removed, so that it may
// belong to somebody else.
#ifndef QUIRE_SERVER_TRAIL_READ_ONLY_DEVICE_H_
#define QUIRE_SERVER_TRAIL_READ_ONLY_DEVICE_H_

#include <memory>
#include <string>

#include "server/trail/trail_device.h"

namespace quire {

// Segment files of `directory`. What would change it is refused with 2; Sync does nothing. The
// directory is looked at with each call; 66 when it cannot be.
std::unique_ptr<TrailDevice> OpenReadOnlyDevice(const std::string& directory);

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_READ_ONLY_DEVICE_H_
