// Real server processes on loopback, each with a port of its own choosing, under a fresh folder.
// Logs stay with the folder when a test fails. Every process is ended by its pid and reaped.
#ifndef QUIRE_TESTS_SUPPORT_PROCESS_FIXTURE_H_
#define QUIRE_TESTS_SUPPORT_PROCESS_FIXTURE_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "quire/filesystem.h"
#include "tests/support/process_child.h"
#include "tests/support/test_directory.h"

namespace quire {

// Full path of one of Quire's programs.
std::string ProgramPath(const std::string& name);
// "$DATA01" for 1.
std::string VolumeName(int number);

class ClusterTest : public testing::Test {
 protected:
  // Starts $DATA<number> and waits until it serves. After a Stop or Kill it comes back on the same
  // directory and port. `options` are added to the command line.
  void StartVolume(int number, const std::vector<std::string>& options = {});
  // Volumes 1 to `count`, then a router to them.
  void StartCluster(int count, const std::vector<std::string>& volume_options = {});
  // Over all volumes started so far. `options` are added to the command line.
  void StartRouter(const std::vector<std::string>& options = {});

  // What servers started from now on find in their environment.
  void SetServerEnvironment(std::map<std::string, std::string> environment) {
    server_environment_ = std::move(environment);
  }

  ChildProcess& volume(int number) { return *volumes_.at(number).process; }
  ChildProcess& router() { return *router_.process; }
  std::string volume_directory(int number) const;
  std::string volume_address(int number) const;
  std::string router_address() const { return router_.address(); }
  std::string volume_log(int number) const { return ReadWholeFile(volumes_.at(number).log_path); }
  const std::string& folder() const { return directory_.path(); }

  // fup at the router. The script is its standard input, or one command.
  CommandResult FupScript(const std::string& script);
  CommandResult Fup(const std::string& command);
  // One of Quire's programs with these arguments and nothing else.
  CommandResult Run(const std::string& program, const std::vector<std::string>& arguments,
                    const std::map<std::string, std::string>& environment = {});

  // Clients; null, and a failure, when they cannot connect or open.
  std::unique_ptr<FileSystem> ConnectToRouter();
  std::unique_ptr<FileSystem> ConnectToVolumes();

 private:
  struct Server {
    std::string address() const { return "127.0.0.1:" + port; }
    std::string port;
    std::string log_path;
    std::unique_ptr<ChildProcess> process;
  };

  void Launch(const std::string& name, std::vector<std::string> arguments, Server* server);

  TestDirectory directory_;
  std::map<std::string, std::string> server_environment_;
  std::map<int, Server> volumes_;
  Server router_;
};

// Anonymous and shared memory of a process, which is what its options bound (R-D5).
uint64_t ResidentBytes(pid_t pid);
// CPU time of all threads of a process since its start.
absl::Duration CpuTime(pid_t pid);

}  // namespace quire

#endif  // QUIRE_TESTS_SUPPORT_PROCESS_FIXTURE_H_
