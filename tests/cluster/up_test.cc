// deploy/up.sh: starts what it says, and stops that and only that.
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// One running up.sh, and what it printed.
class Up {
 public:
  Up(int volumes, const std::string& data, const std::string& log)
      : log_(log),
        process_({.arguments = {"/bin/bash", StrCat(QUIRE_SOURCE_DIR, "/deploy/up.sh"),
                                StrCat(volumes), data},
                  .environment = {{"QUIRE_BIN", QUIRE_BIN_DIR}},
                  .output_path = log}) {}

  bool Ready() {
    return WaitUntil([this] {
             return output().find("Ctrl-C stops") != std::string::npos || !process_.Running();
           }) &&
           process_.Running();
  }
  std::string output() const { return ReadWholeFile(log_); }
  std::string router() const {
    std::istringstream lines(output());
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("router ")) return line.substr(line.find("= ") + 2);
    }
    return "";
  }
  ChildProcess& process() { return process_; }

 private:
  const std::string log_;
  ChildProcess process_;
};

std::vector<pid_t> ChildrenOf(pid_t parent) {
  std::vector<pid_t> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream status(entry.path() / "status");
    for (std::string line; std::getline(status, line);) {
      if (line == StrCat("PPid:\t", parent)) children.push_back(std::stoi(name));
    }
  }
  return children;
}

class UpTest : public ClusterTest {};

TEST_F(UpTest, InterruptStopsAllOfThem) {
  Up up(2, folder() + "/one", folder() + "/one.log");
  ASSERT_TRUE(up.Ready()) << up.output();
  EXPECT_THAT(up.output(), HasSubstr("$DATA02 = 127.0.0.1:"));
  EXPECT_THAT(up.output(), AnyOf(HasSubstr("export QUIRE_ROUTER=" + up.router()),
                                 HasSubstr("router    = 127.0.0.1:7000")));
  const std::vector<pid_t> servers = ChildrenOf(up.process().pid());
  ASSERT_EQ(servers.size(), 3u);
  const CommandResult created = RunCommand(
      {.arguments = {ProgramPath("fup")}, .environment = {{"QUIRE_ROUTER", up.router()}}}, folder(),
      "SET KEYLEN 8\nSET PART (1,$DATA02,10,10,\"M\")\nCREATE $DATA01.S.X\n");
  EXPECT_EQ(created.exit_code, 0) << created.output;

  up.process().SignalGroup(SIGINT);
  EXPECT_EQ(up.process().WaitForExit(), 130) << up.output();
  for (const pid_t server : servers) EXPECT_NE(kill(server, 0), 0) << server;
  // The data stays.
  Up again(2, folder() + "/one", folder() + "/again.log");
  ASSERT_TRUE(again.Ready()) << again.output();
  EXPECT_EQ(Run("fup", {"--router", again.router(), "INFO $DATA01.S.X"}).exit_code, 0);
  again.process().Signal(SIGTERM);
  EXPECT_EQ(again.process().WaitForExit(), 143);
}

TEST_F(UpTest, TwoBesideEachOther) {
  Up one(1, folder() + "/one", folder() + "/one.log");
  ASSERT_TRUE(one.Ready()) << one.output();
  Up two(1, folder() + "/two", folder() + "/two.log");
  ASSERT_TRUE(two.Ready()) << two.output();
  EXPECT_NE(one.router(), two.router());
  EXPECT_THAT(two.output(), HasSubstr("export QUIRE_ROUTER=" + two.router()));
  // On a folder that is taken: refused, and the first one does not notice.
  Up third(1, folder() + "/one", folder() + "/third.log");
  EXPECT_EQ(third.process().WaitForExit(), 2);
  EXPECT_THAT(third.output(), HasSubstr("own folder"));
  EXPECT_TRUE(std::filesystem::exists(folder() + "/one/volumes"));

  two.process().SignalGroup(SIGINT);
  EXPECT_EQ(two.process().WaitForExit(), 130);
  EXPECT_TRUE(one.process().Running());
  EXPECT_EQ(
      RunCommand({.arguments = {ProgramPath("fup"), "--router", one.router(), "REFRESH $DATA01"}},
                 folder())
          .exit_code,
      0);
}

TEST_F(UpTest, AServerThatDiesEndsItAll) {
  Up up(2, folder() + "/one", folder() + "/one.log");
  ASSERT_TRUE(up.Ready()) << up.output();
  const std::vector<pid_t> servers = ChildrenOf(up.process().pid());
  ASSERT_EQ(servers.size(), 3u);
  ASSERT_EQ(kill(servers[0], SIGKILL), 0);
  EXPECT_EQ(up.process().WaitForExit(), 1) << up.output();
  EXPECT_THAT(up.output(), HasSubstr("a server ended"));
  for (const pid_t server : servers) EXPECT_NE(kill(server, 0), 0) << server;
}

TEST_F(UpTest, BadNumberOfVolumesIsRefused) {
  for (const std::string count : {"0", "100", "many"}) {
    SCOPED_TRACE(count);
    const CommandResult result =
        RunCommand({.arguments = {"/bin/bash", StrCat(QUIRE_SOURCE_DIR, "/deploy/up.sh"), count,
                                  folder() + "/none"}},
                   folder());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.output, HasSubstr("1 to 99"));
  }
}

}  // namespace
}  // namespace quire
