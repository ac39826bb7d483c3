// A session at its volume: one open, its batches executed in order, results delivered in order.
#ifndef QUIRE_SERVER_VOLUME_VOLUME_SESSION_H_
#define QUIRE_SERVER_VOLUME_VOLUME_SESSION_H_

#include <memory>

#include "quire/service.h"
#include "server/volume/volume_core.h"

namespace quire {

std::unique_ptr<Session> OpenVolumeSession(std::shared_ptr<VolumeCore> core, OpenRequest request,
                                           std::shared_ptr<SessionEvents> events);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_SESSION_H_
