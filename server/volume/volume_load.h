// Loads at a volume: one request a chunk, each record a WRITE (R-A3).
#ifndef QUIRE_SERVER_VOLUME_VOLUME_LOAD_H_
#define QUIRE_SERVER_VOLUME_VOLUME_LOAD_H_

#include <memory>

#include "quire/service.h"
#include "server/volume/volume_core.h"

namespace quire {

std::unique_ptr<LoadStream> OpenVolumeLoad(std::shared_ptr<VolumeCore> core, LoadRequest request);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_LOAD_H_
