// How both ends set up a connection: sizes and keepalive must agree, so they stand together.
#ifndef QUIRE_CLIENT_TRANSPORT_CHANNEL_H_
#define QUIRE_CLIENT_TRANSPORT_CHANNEL_H_

#include <memory>
#include <string>

#include "grpcpp/channel.h"
#include "grpcpp/server_builder.h"
#include "grpcpp/support/channel_arguments.h"

namespace quire {

// A client pings an idle connection this often, also without calls (R-A5) …
inline constexpr int kKeepaliveMs = 10000;
// … and gives it up when no answer comes within this time.
inline constexpr int kKeepaliveTimeoutMs = 10000;
// What servers permit is a little shorter, so that an early timer is not taken for abuse.
inline constexpr int kPermittedPingMs = 8000;
static_assert(kPermittedPingMs < kKeepaliveMs);

// Waits between attempts to connect; a restarted volume is found again quickly. An attempt itself
// may take longer: gRPC gives each one kConnectAttemptMs, which a busy machine can need.
inline constexpr int kReconnectFirstMs = 50;
inline constexpr int kReconnectMaxMs = 1000;
inline constexpr int kConnectAttemptMs = 5000;

// "host:port" as gRPC's resolver is told. Names the resolver outright, so that FromGrpc can tell a
// call's target from its peer.
std::string ChannelTarget(const std::string& address);

// The settings of such a channel.
grpc::ChannelArguments MakeChannelArguments();

// A channel without TLS (R-A8). Connects at the first call.
std::shared_ptr<grpc::Channel> MakeChannel(const std::string& address);

// The other end: sizes, keepalive and threads of a server. Ports and services are the caller's.
void ConfigureServer(grpc::ServerBuilder& builder);

}  // namespace quire

#endif  // QUIRE_CLIENT_TRANSPORT_CHANNEL_H_
