// What a volume and everything that outlives a call to it share: state and disc process. Sessions,
// scans and loads hold it, so that they may be destroyed after the volume; calls then answer 66.
#ifndef QUIRE_SERVER_VOLUME_VOLUME_CORE_H_
#define QUIRE_SERVER_VOLUME_VOLUME_CORE_H_

#include <atomic>
#include <cstdint>

#include "server/volume/disc_process.h"
#include "server/volume/volume_state.h"

namespace quire {

struct VolumeCore {
  VolumeState state;
  DiscProcess process{&state};
  std::atomic<uint64_t> next_order_key{1};
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_CORE_H_
