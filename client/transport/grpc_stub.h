// A Service at the other end of a gRPC channel (a volume server or a router).
//
// Unary calls, scans, loads and sessions use gRPC's callback API: answers come on gRPC's own few
// threads, so a Done or SessionEvents that blocks stops every other call of the process.
// An answer that does not come because the connection broke is 66, retry safe, when nothing had
// been sent, and 201, outcome unknown, otherwise.
#ifndef QUIRE_CLIENT_TRANSPORT_GRPC_STUB_H_
#define QUIRE_CLIENT_TRANSPORT_GRPC_STUB_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "quire/service.h"

namespace quire {

struct GrpcStubOptions {
  std::string address;                       // "host:port"
  std::string client_name = "quire-client";  // sent as metadata `quire-client`
  // Longest time of a unary call; beyond it 40, outcome unknown. Streams have no limit.
  absl::Duration call_timeout = absl::InfiniteDuration();
};

// Does not connect before the first call. Calls under way outlive the stub.
std::shared_ptr<Service> MakeGrpcStub(GrpcStubOptions options);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_GRPC_STUB_H_
