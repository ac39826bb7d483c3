// Bare gRPC of the same bytes: what a read, a write, a scan and a load over the wire cost without a
// store. The server is a process of its own with the settings of ours (ConfigureServer,
// MakeChannel), serves by callbacks and keeps its memory; the calls are those of generated code.
#ifndef QUIRE_CLIENT_BENCH_LIMITS_BARE_GRPC_H_
#define QUIRE_CLIENT_BENCH_LIMITS_BARE_GRPC_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// What a unary call carries.
enum class BareCall : uint8_t {
  kRead,   // an 11-byte key there, the 1,676-byte record back
  kWrite,  // the record there, its key back
};

// One thread at a time. The thread that starts it must outlive it (ChildProcess).
class BareGrpc {
 public:
  virtual ~BareGrpc() = default;  // ends the server
  // `program`: path of quire-bench, whose hidden command bare-grpc-server is the server.
  // `directory`: exists; the server's log and port file go there. 66, 40, 11.
  static absl::StatusOr<std::unique_ptr<BareGrpc>> Start(const std::string& program,
                                                         const std::string& directory);

  // All return records a second; errors as the channel gave them.
  // `calls` unary calls, the next when one ends. in_flight 1: blocking calls of one thread, the
  // quickest way to call gRPC one at a time; more: one channel and one completion queue
  // that the calling thread serves.
  virtual absl::StatusOr<double> Unary(BareCall call, uint32_t in_flight, uint64_t calls) = 0;
  // A stream of packed 256 KiB chunks from the server; every byte has arrived.
  virtual absl::StatusOr<double> StreamOut(uint64_t records) = 0;
  // The same to the server, until it has answered their number.
  virtual absl::StatusOr<double> StreamIn(uint64_t records) = 0;

  virtual pid_t server_pid() const = 0;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LIMITS_BARE_GRPC_H_
