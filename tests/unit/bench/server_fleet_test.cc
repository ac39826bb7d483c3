#include "client/bench/server_fleet.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "client/bench/text_file.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

class ServerFleetTest : public testing::Test {
 protected:
  ServerFleetTest() {
    options_.program = ProgramBeside("bench_dummy_volume");
    options_.directory = folder_.path();
    options_.volumes = {"$DATA01", "$DATA02", "$DATA03"};
    options_.cache_bytes = uint64_t{300} << 20;
    options_.dirty_limit_bytes = uint64_t{240} << 20;
  }

  TestFolder folder_;
  FleetOptions options_;
};

TEST_F(ServerFleetTest, StartsWaitsForPortsAndStops) {
  absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options_);
  ASSERT_TRUE(fleet.ok()) << fleet.status();
  EXPECT_EQ((*fleet)->addresses().size(), 3u);
  EXPECT_EQ((*fleet)->addresses().at("$DATA02"), "127.0.0.1:4711");
  const std::vector<pid_t> pids = (*fleet)->pids();
  ASSERT_EQ(pids.size(), 3u);
  for (pid_t pid : pids) EXPECT_EQ(kill(pid, 0), 0);
  EXPECT_TRUE((*fleet)->Stop().ok());
  for (pid_t pid : pids) EXPECT_NE(kill(pid, 0), 0);
}

// R-M2: one total cache is divided among the volumes; R-D5: dirty memory is at most half of it.
TEST_F(ServerFleetTest, RM2DividesOneCache) {
  absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options_);
  ASSERT_TRUE(fleet.ok()) << fleet.status();
  EXPECT_EQ((*fleet)->cache_share_bytes(), uint64_t{100} << 20);
  EXPECT_EQ((*fleet)->dirty_share_bytes(), uint64_t{50} << 20);
  ASSERT_TRUE((*fleet)->Stop().ok());
  const absl::StatusOr<std::string> log = ReadTextFile(folder_.path() + "/DATA03.log");
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(*log, StrCat("--name=$DATA03\n--directory=", folder_.path(),
                         "/DATA03\n--listen=127.0.0.1:0\n--port_file=", folder_.path(),
                         "/DATA03.port\n--cache=102400KiB\n--dirty_limit=51200KiB\n"));
}

TEST_F(ServerFleetTest, AServerThatEndsIsReportedWithItsLog) {
  options_.arguments = {"--behaviour=exit"};
  const absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options_);
  EXPECT_EQ(NumberOf(fleet.status()), ErrorNumber::kVolumeDown);
  const std::string message(ToStd(fleet.status().message()));
  EXPECT_NE(message.find("$DATA01"), std::string::npos);
  EXPECT_NE(message.find("exited with code 3"), std::string::npos);
  EXPECT_NE(message.find("--behaviour=exit"), std::string::npos);
}

TEST_F(ServerFleetTest, AServerThatSaysNothingTimesOut) {
  options_.arguments = {"--behaviour=silent"};
  options_.start_timeout = absl::Milliseconds(100);
  const absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options_);
  EXPECT_EQ(NumberOf(fleet.status()), ErrorNumber::kVolumeDown);
  EXPECT_NE(ToStd(fleet.status().message()).find("did not say its port"), std::string::npos);
}

TEST_F(ServerFleetTest, BadEndsAreErrors) {
  options_.arguments = {"--behaviour=sour"};
  absl::StatusOr<std::unique_ptr<ServerFleet>> sour = ServerFleet::Start(options_);
  ASSERT_TRUE(sour.ok());
  EXPECT_NE(ToStd((*sour)->Stop().message()).find("exited with code 9"), std::string::npos);
}

TEST_F(ServerFleetTest, ADeafServerIsKilled) {
  options_.arguments = {"--behaviour=deaf"};
  options_.stop_timeout = absl::Milliseconds(50);
  absl::StatusOr<std::unique_ptr<ServerFleet>> deaf = ServerFleet::Start(options_);
  ASSERT_TRUE(deaf.ok()) << deaf.status();
  const std::vector<pid_t> pids = (*deaf)->pids();
  EXPECT_NE(ToStd((*deaf)->Stop().message()).find("was killed"), std::string::npos);
  for (pid_t pid : pids) EXPECT_NE(kill(pid, 0), 0);
}

TEST_F(ServerFleetTest, AMissingProgramIsAnError) {
  options_.program = folder_.path() + "/no-such-program";
  EXPECT_EQ(NumberOf(ServerFleet::Start(options_).status()), ErrorNumber::kNotFound);
}

TEST_F(ServerFleetTest, DestroyingAFleetEndsItsServers) {
  std::vector<pid_t> pids;
  {
    absl::StatusOr<std::unique_ptr<ServerFleet>> fleet = ServerFleet::Start(options_);
    ASSERT_TRUE(fleet.ok());
    pids = (*fleet)->pids();
  }
  for (pid_t pid : pids) EXPECT_NE(kill(pid, 0), 0);
}

}  // namespace
}  // namespace bench
}  // namespace quire
