// When a server is ready, how it ends, and what those who watch its health see.
#include <signal.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/fault/fault_fixture.h"
#include "tests/support/health_watch.h"

namespace quire::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int kNotStartedCode = 3;
constexpr int kLatchedCode = 10;

class StartStopTest : public FaultTest {
 protected:
  void Fail(FaultCall call, const char* path_end, int32_t effect) {
    control().call = call;
    control().effect = effect;
    std::strncpy(control().path_end, path_end, sizeof(control().path_end) - 1);
    Arm();
  }
  // A volume that was killed after some changes.
  void MakeKilledVolume() {
    ASSERT_NO_FATAL_FAILURE(Start());
    ASSERT_NO_FATAL_FAILURE(CreateFiles());
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(Step().ok());
    Close();
    volume(1).Kill();
  }
  CommandResult StartRefused() {
    return Run("quire-volume", {"--name", "$DATA01", "--directory", volume_directory(1),
                                "--capacity", "1GiB", "--listen", "127.0.0.1:0"});
  }
};

// While recovery reads the trail nobody is told that the server is there; a signal that comes
// meanwhile ends it afterwards, without serving, and a second one changes nothing.
TEST_F(StartStopTest, ReadyOnlyAfterRecoveryAndEndedByASignalInIt) {
  ASSERT_NO_FATAL_FAILURE(MakeKilledVolume());
  Fail(FaultCall::kRead, ".trail", kStall);
  const std::string port_file = StrCat(folder(), "/stalled.port");
  const std::string log = StrCat(folder(), "/stalled.log");
  ChildProcess server(
      {.arguments = {ProgramPath("quire-volume"), "--name", "$DATA01", "--directory",
                     volume_directory(1), "--capacity", "1GiB", "--trail-segment", "256KiB",
                     "--listen", "127.0.0.1:0", "--port-file", port_file},
       .environment = environment(),
       .output_path = log});
  ASSERT_TRUE(WaitUntil([&] { return control().failed.load() > 0; })) << ReadWholeFile(log);
  EXPECT_FALSE(std::filesystem::exists(port_file));
  EXPECT_THAT(ReadWholeFile(log), Not(HasSubstr("listening on")));
  server.Signal(SIGTERM);
  server.Signal(SIGTERM);
  EXPECT_TRUE(server.Running());
  Disarm();
  EXPECT_EQ(server.WaitForExit(), 0) << ReadWholeFile(log);
  EXPECT_THAT(ReadWholeFile(log), HasSubstr("a signal came during recovery"));
  EXPECT_THAT(ReadWholeFile(log), Not(HasSubstr("listening on")));
  EXPECT_FALSE(std::filesystem::exists(port_file));
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(OpenFiles());
  VerifyRecords();
}

// The watching stream and an open that nobody uses do not hold the server; everything that was
// acknowledged is in the store.
TEST_F(StartStopTest, WatchersSeeTheDrain) {
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(CreateFiles());
  const HealthWatch watch(volume_address(1));
  ASSERT_TRUE(WaitUntil([&] { return !watch.said().empty(); }));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Step().ok());
  volume(1).Signal(SIGTERM);
  volume(1).Signal(SIGTERM);
  EXPECT_EQ(volume(1).WaitForExit(), 0) << volume_log(1);
  // Perhaps twice: for the latch and for the end.
  EXPECT_TRUE(WaitUntil([&] { return watch.said().back() == kNotServing; }));
  EXPECT_EQ(watch.said().front(), kServing);
  Close();
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(OpenFiles());
  VerifyRecords();
}

TEST_F(StartStopTest, WatchersSeeTheLatch_R_D8) {
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(CreateFiles());
  const HealthWatch watch(volume_address(1));
  ASSERT_TRUE(WaitUntil([&] { return !watch.said().empty(); }));
  Fail(FaultCall::kSync, ".trail", EIO);
  EXPECT_EQ(NumberOf(Step()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(volume(1).WaitForExit(), kLatchedCode) << volume_log(1);
  // Perhaps twice: for the latch and for the end.
  EXPECT_TRUE(WaitUntil([&] { return watch.said().back() == kNotServing; }));
  EXPECT_EQ(watch.said().front(), kServing);
}

// The last control point waits for its disc: SIGTERM again does not cut it short.
TEST_F(StartStopTest, SecondSignalDoesNotCutTheLastControlPointShort) {
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(CreateFiles());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(Step().ok());
  Close();
  Fail(FaultCall::kSync, "/data.mdb", kStall);
  volume(1).Signal(SIGTERM);
  ASSERT_TRUE(WaitUntil([&] { return control().failed.load() > 0; }));
  volume(1).Signal(SIGTERM);
  EXPECT_TRUE(volume(1).Running());
  Disarm();
  EXPECT_EQ(volume(1).WaitForExit(), 0) << volume_log(1);
}

TEST_F(StartStopTest, SecondServerIsToldWhoHasTheDirectory) {
  ASSERT_NO_FATAL_FAILURE(Start());
  const CommandResult second = StartRefused();
  EXPECT_EQ(second.exit_code, kNotStartedCode);
  EXPECT_THAT(second.output,
              AllOf(HasSubstr(volume_directory(1)), HasSubstr(StrCat(volume(1).pid()))));
  // The number in the lock file of a server that was killed keeps nobody out.
  Close();
  volume(1).Kill();
  ASSERT_NO_FATAL_FAILURE(Start());
}

TEST_F(StartStopTest, FileInPlaceOfTheDirectoryIsRefused) {
  WriteWholeFile(volume_directory(1), "not a directory");
  const CommandResult refused = StartRefused();
  EXPECT_EQ(refused.exit_code, kNotStartedCode);
  EXPECT_THAT(refused.output, HasSubstr(volume_directory(1)));
  EXPECT_EQ(ReadWholeFile(volume_directory(1)), "not a directory");
}

TEST_F(StartStopTest, StoreWithoutTrailIsRefused) {
  ASSERT_NO_FATAL_FAILURE(MakeKilledVolume());
  const std::string trail = StrCat(volume_directory(1), "/trail");
  std::filesystem::rename(trail, trail + ".aside");
  const CommandResult refused = StartRefused();
  EXPECT_EQ(refused.exit_code, kNotStartedCode);
  EXPECT_THAT(refused.output, HasSubstr("no trail directory"));
  std::filesystem::remove_all(trail);
  std::filesystem::rename(trail + ".aside", trail);
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(OpenFiles());
  VerifyRecords();
}

TEST_F(StartStopTest, TrailWithoutStoreIsRefusedAndNoneIsMade) {
  ASSERT_NO_FATAL_FAILURE(MakeKilledVolume());
  const std::string store = StrCat(volume_directory(1), "/store");
  std::filesystem::rename(store, store + ".aside");
  const CommandResult refused = StartRefused();
  EXPECT_EQ(refused.exit_code, kNotStartedCode);
  EXPECT_THAT(refused.output, AllOf(HasSubstr("no store"), HasSubstr(volume_directory(1))));
  EXPECT_FALSE(std::filesystem::exists(store));
  std::filesystem::rename(store + ".aside", store);
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(OpenFiles());
  VerifyRecords();
}

}  // namespace
}  // namespace quire::test
