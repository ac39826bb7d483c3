// What both server programs do around their Service: listen, say so, drain and end.
#ifndef QUIRE_SERVER_MAIN_SERVE_H_
#define QUIRE_SERVER_MAIN_SERVE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/service.h"
#include "server/main/stop_signal.h"
#include "server/rpc/server.h"

namespace quire {

// Exit codes of the server programs.
inline constexpr int kExitNormal = 0;
inline constexpr int kExitBadOptions = 2;
inline constexpr int kExitCannotStart = 3;
inline constexpr int kExitVolumeLatched = 10;
// The store's file cannot be read, or is not what LMDB wrote (R-D14).
inline constexpr int kExitStoreFailed = 11;
inline constexpr int kExitNoMemory = 12;

// Sends the log to standard error, in lines with time, level and message.
void StartLog(const std::string& program);

// "127.0.0.1:7000" -> "127.0.0.1", "[::1]:7000" -> "[::1]".
std::string HostOfAddress(const std::string& address);
// True for addresses that only this machine can reach.
bool IsLoopback(const std::string& host);

// Starts the server at `listen` ("host:port") and warns when others can reach it (R-A8); writes
// the port, then a newline, to `port_file` unless that is empty.
absl::StatusOr<std::unique_ptr<RpcServer>> StartServing(std::shared_ptr<Service> service,
                                                        const std::string& listen,
                                                        const std::string& port_file);

// The line that scripts wait for, on standard output: "<what> listening on <host>:<port><more>".
void Announce(const std::string& what, const std::string& listen, const RpcServer& server,
              const std::string& more);

// Replaces the file in one step, so that a reader sees nothing or all of it.
absl::Status WritePortFile(const std::string& path, int port);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_SERVE_H_
