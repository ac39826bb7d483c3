// Volumes inside the client's own process: no server, no network, the same services.
//
// A directory holds one folder per volume, named as the volume without "$": DIR/DATA01 is $DATA01.
// This is the one place where client code links server code; link quire_embedded.
#ifndef QUIRE_CLIENT_TRANSPORT_EMBEDDED_H_
#define QUIRE_CLIENT_TRANSPORT_EMBEDDED_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "quire/service.h"
#include "server/volume/volume.h"

namespace quire {

struct EmbeddedOptions {
  std::string directory;
  std::vector<std::string> volumes;  // also made when missing, e.g. {"$DATA01"}
  VolumeOptions volume;              // of every volume; name and directory are filled in
};

// Opens every volume found under the directory and those named. The volumes share one cache size
// each; they are closed, with a last control point, when the last pointer goes. 12 when a server
// or another process has one of them, 22 when there is none.
absl::StatusOr<std::map<std::string, std::shared_ptr<Service>>> OpenEmbeddedVolumes(
    const EmbeddedOptions& options);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_EMBEDDED_H_
