// Volume servers started for one run, each on a free loopback port with a fresh directory, and
// stopped with it.
#ifndef QUIRE_CLIENT_BENCH_SERVER_FLEET_H_
#define QUIRE_CLIENT_BENCH_SERVER_FLEET_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/bench/child_process.h"

namespace quire {
namespace bench {

struct FleetOptions {
  std::string program;                 // path of quire-volume
  std::string directory;               // must exist; each volume gets a folder in it
  std::vector<std::string> volumes;    // "$DATA01" …
  uint64_t cache_bytes = 0;            // of all volumes together (R-M2)
  uint64_t dirty_limit_bytes = 0;      // of all volumes together
  std::vector<std::string> arguments;  // further options, the same for every server
  absl::Duration start_timeout = absl::Seconds(30);
  absl::Duration stop_timeout = absl::Seconds(60);
};

// Not thread safe. The thread that starts a fleet must outlive it.
class ServerFleet {
 public:
  // Starts all servers and waits until each has said its port. On an error every server started is
  // stopped again; the message has the last lines of the server's log. Errors: 66, 11, 40 (Ctrl-C).
  static absl::StatusOr<std::unique_ptr<ServerFleet>> Start(const FleetOptions& options);
  // Kills what Stop has not stopped.
  ~ServerFleet() = default;

  // "$DATA01" -> "127.0.0.1:4711".
  const std::map<std::string, std::string>& addresses() const { return addresses_; }
  std::vector<pid_t> pids() const;
  const std::string& directory() const { return options_.directory; }
  // Shares of one server, as given to it.
  uint64_t cache_share_bytes() const;
  uint64_t dirty_share_bytes() const;

  // SIGTERM to all, then waits for each; 66 when one ended badly or had to be killed.
  absl::Status Stop();

 private:
  struct Server {
    std::string volume;
    std::string log_path;
    ChildProcess process;
  };

  explicit ServerFleet(const FleetOptions& options) : options_(options) {}
  absl::Status StartServer(const std::string& volume);

  const FleetOptions options_;
  std::vector<Server> servers_;
  std::map<std::string, std::string> addresses_;
};

// Path of a program that lies beside the running one.
std::string ProgramBeside(const std::string& name);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SERVER_FLEET_H_
