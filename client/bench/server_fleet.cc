#include "client/bench/server_fleet.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/time/clock.h"
#include "client/bench/errors.h"
#include "client/bench/stop_signal.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLogTailBytes = 600;
// The stop flag is looked at this often while waiting for a server.
constexpr absl::Duration kLookInterval = absl::Milliseconds(200);

std::string FolderOf(const FleetOptions& options, const std::string& volume) {
  return (fs::path(options.directory) / volume.substr(1)).string();
}

std::string PortPath(const FleetOptions& options, const std::string& volume) {
  return FolderOf(options, volume) + ".port";
}

std::string ReadText(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// The end of the server's log, on one line, for the message of its failure.
std::string LogTail(const std::string& path) {
  std::string text = ReadText(path);
  if (text.size() > kLogTailBytes) text = "…" + text.substr(text.size() - kLogTailBytes);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text.empty() ? "its log is empty" : "its log ends: " + text;
}

class DirectoryWatch {
 public:
  explicit DirectoryWatch(const std::string& directory)
      : descriptor_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
    if (descriptor_ >= 0) {
      inotify_add_watch(descriptor_, directory.c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
    }
  }
  ~DirectoryWatch() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  // Returns when something changed in the directory, the child ended or `limit` passed; poll
  // leaves out a descriptor of -1, then the limit alone paces the caller.
  void Wait(const ChildProcess& child, absl::Duration limit) {
    pollfd waited[2] = {{descriptor_, POLLIN, 0}, {child.descriptor(), POLLIN, 0}};
    poll(waited, 2, static_cast<int>(absl::ToInt64Milliseconds(limit)) + 1);
    char events[4096];
    while (descriptor_ >= 0 && read(descriptor_, events, sizeof(events)) > 0) {
    }
  }

 private:
  const int descriptor_;
};

}  // namespace

std::string ProgramBeside(const std::string& name) {
  std::error_code ignored;
  return (fs::read_symlink("/proc/self/exe", ignored).parent_path() / name).string();
}

uint64_t ServerFleet::cache_share_bytes() const {
  return options_.cache_bytes / options_.volumes.size();
}

uint64_t ServerFleet::dirty_share_bytes() const {
  // A server takes at most half of its cache (R-D5).
  return std::min(options_.dirty_limit_bytes / options_.volumes.size(), cache_share_bytes() / 2);
}

std::vector<pid_t> ServerFleet::pids() const {
  std::vector<pid_t> pids;
  for (const Server& server : servers_) pids.push_back(server.process.pid());
  return pids;
}

absl::Status ServerFleet::StartServer(const std::string& volume) {
  const std::string folder = FolderOf(options_, volume);
  std::error_code failed;
  fs::create_directory(folder, failed);
  if (failed) return CannotOpen(folder, failed.value());
  const auto kib = [](uint64_t bytes) { return StrCat(bytes >> 10, "KiB"); };
  std::vector<std::string> arguments = {
      StrCat("--name=", volume),
      StrCat("--directory=", folder),
      "--listen=127.0.0.1:0",
      StrCat("--port_file=", PortPath(options_, volume)),
      StrCat("--cache=", kib(cache_share_bytes())),
      StrCat("--dirty_limit=", kib(dirty_share_bytes())),
  };
  arguments.insert(arguments.end(), options_.arguments.begin(), options_.arguments.end());
  const std::string log_path = folder + ".log";
  absl::StatusOr<ChildProcess> process = ChildProcess::Start(options_.program, arguments, log_path);
  if (!process.ok()) return process.status();
  servers_.push_back({volume, log_path, *std::move(process)});
  return absl::OkStatus();
}

absl::StatusOr<std::string> ServerFleet::WaitForPort(Server* server) {
  const std::string path = PortPath(options_, server->volume);
  const absl::Time deadline = absl::Now() + options_.start_timeout;
  DirectoryWatch watch(options_.directory);
  for (;;) {
    // The server renames the finished file into place, so what is there is whole.
    std::string text = ReadText(path);
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c <= ' '; }),
               text.end());
    if (!text.empty()) return text.find(':') == std::string::npos ? "127.0.0.1:" + text : text;
    if (const auto ended = server->process.WaitUntil(absl::InfinitePast()); ended.has_value()) {
      return ServerNotStarted(server->volume, StrCat("it ", ended->empty() ? "ended" : *ended, "; ",
                                                     LogTail(server->log_path)));
    }
    if (StopRequested()) return Interrupted();
    if (absl::Now() >= deadline) {
      return ServerNotStarted(server->volume, StrCat("it did not say its port within ",
                                                     absl::ToInt64Seconds(options_.start_timeout),
                                                     " s; ", LogTail(server->log_path)));
    }
    watch.Wait(server->process, kLookInterval);
  }
}

absl::StatusOr<std::unique_ptr<ServerFleet>> ServerFleet::Start(const FleetOptions& options) {
  std::unique_ptr<ServerFleet> fleet(new ServerFleet(options));
  for (const std::string& volume : options.volumes) {
    if (absl::Status started = fleet->StartServer(volume); !started.ok()) {
      fleet->Stop().IgnoreError();
      return started;
    }
  }
  for (Server& server : fleet->servers_) {
    absl::StatusOr<std::string> address = fleet->WaitForPort(&server);
    if (!address.ok()) {
      fleet->Stop().IgnoreError();
      return address.status();
    }
    fleet->addresses_[server.volume] = *std::move(address);
  }
  return fleet;
}

absl::Status ServerFleet::Stop() {
  for (Server& server : servers_) server.process.RequestStop();
  const absl::Time deadline = absl::Now() + options_.stop_timeout;
  absl::Status result;
  for (Server& server : servers_) {
    std::optional<std::string> ended = server.process.WaitUntil(deadline);
    if (!ended.has_value()) {
      server.process.Kill();
      ended = "did not stop in time and was killed";
    }
    if (!ended->empty()) {
      result.Update(
          ServerEndedBadly(server.volume, StrCat(*ended, "; ", LogTail(server.log_path))));
    }
  }
  servers_.clear();
  return result;
}

}  // namespace bench
}  // namespace quire
