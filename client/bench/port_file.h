// How a server started here says its port: it writes the number into a file beside its log.
#ifndef QUIRE_CLIENT_BENCH_PORT_FILE_H_
#define QUIRE_CLIENT_BENCH_PORT_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/bench/child_process.h"

namespace quire {
namespace bench {

struct StartedServer {
  std::string name;       // for messages: "$DATA01"
  std::string port_path;  // the server renames the finished file into place
  std::string log_path;   // its last lines go into the message of a failure
};

// Waits until the port is said. "127.0.0.1:4711". 66 when the server ended or did not say it in
// time, 40 after Ctrl-C.
absl::StatusOr<std::string> WaitForPort(const StartedServer& server, ChildProcess* process,
                                        absl::Duration timeout);

// The end of a server's log, on one line.
std::string LogTail(const std::string& path);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PORT_FILE_H_
