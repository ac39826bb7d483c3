// The options by which Quire's client programs say where the volumes are.
//
//   --router HOST:PORT   a quire-router (default 127.0.0.1:7000, R-A6)
//   --volumes FILE       a volume map; this program then routes by itself
//   --embedded DIR       the volumes under a folder, opened in this process; no server may have
//   them
//
// The lower one wins. All can be set as QUIRE_ROUTER, QUIRE_VOLUMES, QUIRE_EMBEDDED and in
// --config.
#ifndef QUIRE_CLIENT_FILESYSTEM_CONNECT_FLAGS_H_
#define QUIRE_CLIENT_FILESYSTEM_CONNECT_FLAGS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "quire/filesystem.h"

namespace quire {

// Connects as the options say; they must be parsed already (ParseProgram). `client_name` is what
// LISTOPENS and DISCOPEN show. Errors: those of FileSystem::Connect, and of ReadVolumeMap. The
// sentence of a failed connection says which address was tried and how to name another.
absl::StatusOr<std::unique_ptr<FileSystem>> ConnectFromFlags(const std::string& client_name);

// As --embedded: the volumes under `directory`, in this process. Errors: OpenEmbeddedVolumes.
absl::StatusOr<std::unique_ptr<FileSystem>> ConnectEmbedded(const std::string& directory,
                                                            const std::string& client_name);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_CONNECT_FLAGS_H_
