#include "tests/support/process_fixture.h"

#include <stdio.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "absl/strings/str_format.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {

std::string ProgramPath(const std::string& name) {
  return StrCat(QUIRE_BIN_DIR, "/", name);
}

namespace {
// Tests kill servers and look what comes of it.
constexpr absl::Duration kRetryTime = absl::Milliseconds(200);
}  // namespace

std::string VolumeName(int number) {
  return absl::StrFormat("$DATA%02d", number);
}

void ClusterTest::Launch(const std::string& name, std::vector<std::string> arguments,
                         Server* server) {
  const std::string port_file = StrCat(folder(), "/", name, ".port");
  std::filesystem::remove(port_file);
  server->log_path = StrCat(folder(), "/", name, ".log");
  const std::string port = server->port.empty() ? "0" : server->port;
  for (const std::string& option :
       {std::string("--listen"), "127.0.0.1:" + port, std::string("--port-file"), port_file}) {
    arguments.push_back(option);
  }
  server->process = std::make_unique<ChildProcess>(ChildOptions{.arguments = std::move(arguments),
                                                                .environment = server_environment_,
                                                                .output_path = server->log_path});
  ASSERT_TRUE(WaitUntil([&] {
    return !ReadWholeFile(port_file).empty() || !server->process->Running();
  })) << name;
  std::istringstream(ReadWholeFile(port_file)) >> server->port;
  ASSERT_TRUE(server->process->Running()) << name << ": " << ReadWholeFile(server->log_path);
}

void ClusterTest::StartVolume(int number, const std::vector<std::string>& options) {
  const std::string name = VolumeName(number);
  std::vector<std::string> arguments = {ProgramPath("quire-volume"),
                                        "--name",
                                        name,
                                        "--directory",
                                        volume_directory(number),
                                        "--capacity",
                                        "1GiB",
                                        "--trail-segment",
                                        "1MiB"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  ASSERT_NO_FATAL_FAILURE(Launch(name.substr(1), std::move(arguments), &volumes_[number]));
}

void ClusterTest::StartRouter(const std::vector<std::string>& options) {
  const std::string map_path = StrCat(folder(), "/volumes");
  std::string map;
  for (const auto& [number, server] : volumes_) {
    StrAppend(&map, VolumeName(number), " = ", server.address(), "\n");
  }
  WriteWholeFile(map_path, map);
  std::vector<std::string> arguments = {ProgramPath("quire-router"), "--volumes", map_path,
                                        "--retry-ms", "200"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  ASSERT_NO_FATAL_FAILURE(Launch("router", std::move(arguments), &router_));
}

void ClusterTest::StartCluster(int count, const std::vector<std::string>& volume_options) {
  for (int number = 1; number <= count; ++number) {
    ASSERT_NO_FATAL_FAILURE(StartVolume(number, volume_options));
  }
  ASSERT_NO_FATAL_FAILURE(StartRouter());
}

std::string ClusterTest::volume_directory(int number) const {
  return StrCat(folder(), "/", VolumeName(number).substr(1));
}

std::string ClusterTest::volume_address(int number) const {
  return volumes_.at(number).address();
}

CommandResult ClusterTest::FupScript(const std::string& script) {
  return RunCommand({.arguments = {ProgramPath("fup"), "--router", router_address()}}, folder(),
                    script);
}

CommandResult ClusterTest::Fup(const std::string& command) {
  return RunCommand({.arguments = {ProgramPath("fup"), "--router", router_address(), command}},
                    folder());
}

CommandResult ClusterTest::Run(const std::string& program,
                               const std::vector<std::string>& arguments,
                               const std::map<std::string, std::string>& environment) {
  ChildOptions options{.arguments = {ProgramPath(program)}, .environment = environment};
  options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
  return RunCommand(std::move(options), folder());
}

std::unique_ptr<FileSystem> ClusterTest::ConnectToRouter() {
  auto connected = FileSystem::Connect(
      {.router = router_address(), .client_name = "cluster-test", .retry_time = kRetryTime});
  if (connected.ok()) return *std::move(connected);
  ADD_FAILURE() << Describe(connected.status());
  return nullptr;
}

std::unique_ptr<FileSystem> ClusterTest::ConnectToVolumes() {
  std::map<std::string, std::string> addresses;
  for (const auto& [number, server] : volumes_) addresses[VolumeName(number)] = server.address();
  auto connected = FileSystem::Connect(
      {.volumes = addresses, .client_name = "cluster-test", .retry_time = kRetryTime});
  if (connected.ok()) return *std::move(connected);
  ADD_FAILURE() << Describe(connected.status());
  return nullptr;
}

uint64_t ResidentBytes(pid_t pid) {
  std::ifstream status(StrCat("/proc/", pid, "/status"));
  uint64_t total_kib = 0;
  for (std::string line; std::getline(status, line);) {
    std::istringstream words(line);
    std::string name;
    uint64_t kib = 0;
    words >> name >> kib;
    if (name == "RssAnon:" || name == "RssShmem:") total_kib += kib;
  }
  return total_kib * 1024;
}

absl::Duration CpuTime(pid_t pid) {
  // The time of ended threads is not in the sum, which does not matter for a difference of a
  // server at rest: its threads stay.
  int64_t total_ns = 0;
  std::error_code error;
  const std::filesystem::path threads = StrCat("/proc/", pid, "/task");
  for (const auto& thread : std::filesystem::directory_iterator(threads, error)) {
    int64_t run_ns = 0;
    std::ifstream(thread.path() / "schedstat") >> run_ns;
    total_ns += run_ns;
  }
  return absl::Nanoseconds(total_ns);
}

}  // namespace quire
