// The serving end of bare gRPC, in a process of its own as a volume's server is.
#ifndef QUIRE_CLIENT_BENCH_LIMITS_BARE_SERVER_H_
#define QUIRE_CLIENT_BENCH_LIMITS_BARE_SERVER_H_

#include <string>

#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// Serves on a free port of the loopback and writes it to `port_path`, then waits for the signal
// that ends the process. 66 when it cannot listen, 11, 43, 48 for the file.
absl::StatusOr<int> ServeBareGrpc(const std::string& port_path);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LIMITS_BARE_SERVER_H_
