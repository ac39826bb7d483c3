#include "client/filesystem/connect_flags.h"

#include <map>
#include <utility>

#include "absl/flags/flag.h"
#include "client/transport/embedded.h"
#include "quire/error.h"
#include "quire/text.h"

ABSL_FLAG(std::string, router, "127.0.0.1:7000", "address host:port of a quire-router");
ABSL_FLAG(std::string, volumes, "",
          "volume map, a file with lines \"$DATA01 = host:port\"; wins over --router");
ABSL_FLAG(std::string, embedded, "",
          "folder of volumes to open in this very process, DIR/DATA01 being $DATA01; wins over "
          "--volumes and --router");

namespace quire {
namespace {

// Another number would hide from scripts what happened; only the sentence grows.
absl::Status WithAdvice(const absl::Status& status, std::string_view tried) {
  return MakeError(
      NumberOf(status),
      StrCat("Cannot connect to ", tried, ": ", ToStd(status.message()),
             " (options --router, --volumes and --embedded, or QUIRE_ROUTER, say where to go)"),
      RetryOf(status));
}

}  // namespace

absl::StatusOr<std::unique_ptr<FileSystem>> ConnectEmbedded(const std::string& directory,
                                                            const std::string& client_name) {
  EmbeddedOptions options;
  options.directory = directory;
  options.volume.program = client_name;
  absl::StatusOr<std::map<std::string, std::shared_ptr<Service>>> volumes =
      OpenEmbeddedVolumes(options);
  if (!volumes.ok()) return volumes.status();
  return FileSystem::Over(*std::move(volumes), client_name);
}

absl::StatusOr<std::unique_ptr<FileSystem>> ConnectFromFlags(const std::string& client_name) {
  if (const std::string directory = absl::GetFlag(FLAGS_embedded); !directory.empty()) {
    return ConnectEmbedded(directory, client_name);
  }
  ConnectOptions options;
  options.client_name = client_name;
  std::string tried;
  if (const std::string path = absl::GetFlag(FLAGS_volumes); !path.empty()) {
    absl::StatusOr<std::map<std::string, std::string>> volumes = ReadVolumeMap(path);
    if (!volumes.ok()) return volumes.status();
    options.volumes = *std::move(volumes);
    tried = StrCat("the volumes of ", path);
  } else {
    options.router = absl::GetFlag(FLAGS_router);
    tried = StrCat("the router ", options.router);
  }
  absl::StatusOr<std::unique_ptr<FileSystem>> connected = FileSystem::Connect(options);
  if (!connected.ok()) return WithAdvice(connected.status(), tried);
  return connected;
}

}  // namespace quire
