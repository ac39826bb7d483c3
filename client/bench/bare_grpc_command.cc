// quire-bench bare-grpc-server: the serving end of bare gRPC, started by quire-bench itself.
#include <string>

#include "absl/flags/flag.h"
#include "client/bench/commands.h"
#include "client/bench/errors.h"
#include "client/bench/limits/bare_server.h"

ABSL_FLAG(std::string, bare_grpc_port_file, "",
          "where quire-bench, started by itself as the bare gRPC server, says its port");

namespace quire {
namespace bench {

absl::StatusOr<int> BareGrpcServerCommand() {
  const std::string path = absl::GetFlag(FLAGS_bare_grpc_port_file);
  if (path.empty()) return BadOption("bare-grpc-port-file", "name the file to write");
  return ServeBareGrpc(path);
}

}  // namespace bench
}  // namespace quire
