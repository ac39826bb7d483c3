// Scans at a volume: one request a page, so that long work never holds up others.
#ifndef QUIRE_SERVER_VOLUME_VOLUME_SCAN_H_
#define QUIRE_SERVER_VOLUME_VOLUME_SCAN_H_

#include <memory>

#include "quire/service.h"
#include "server/volume/volume_core.h"

namespace quire {

std::unique_ptr<ScanStream> OpenVolumeScan(std::shared_ptr<VolumeCore> core, ScanRequest request);

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_VOLUME_SCAN_H_
