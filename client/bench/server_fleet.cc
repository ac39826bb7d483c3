#include "client/bench/server_fleet.h"

#include <algorithm>
#include <filesystem>

#include "absl/time/clock.h"
#include "client/bench/errors.h"
#include "client/bench/port_file.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

std::string FolderOf(const FleetOptions& options, const std::string& volume) {
  return (fs::path(options.directory) / volume.substr(1)).string();
}

std::string PortPath(const FleetOptions& options, const std::string& volume) {
  return FolderOf(options, volume) + ".port";
}

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

absl::StatusOr<std::unique_ptr<ServerFleet>> ServerFleet::Start(const FleetOptions& options) {
  std::unique_ptr<ServerFleet> fleet(new ServerFleet(options));
  for (const std::string& volume : options.volumes) {
    if (absl::Status started = fleet->StartServer(volume); !started.ok()) {
      fleet->Stop().IgnoreError();
      return started;
    }
  }
  for (Server& server : fleet->servers_) {
    absl::StatusOr<std::string> address =
        WaitForPort({server.volume, PortPath(options, server.volume), server.log_path},
                    &server.process, options.start_timeout);
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
