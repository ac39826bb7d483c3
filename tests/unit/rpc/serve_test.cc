#include "server/main/serve.h"

#include <csignal>
#include <fstream>

#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/support/fake_service.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace {

// R-A8: what is not loopback is warned about.
TEST(ServeTest, RA8LoopbackAddresses) {
  EXPECT_TRUE(IsLoopback(HostOfAddress("127.0.0.1:7000")));
  EXPECT_TRUE(IsLoopback(HostOfAddress("localhost:0")));
  EXPECT_TRUE(IsLoopback(HostOfAddress("[::1]:7000")));
  EXPECT_FALSE(IsLoopback(HostOfAddress("0.0.0.0:7000")));
  EXPECT_FALSE(IsLoopback(HostOfAddress("[::]:7000")));
  EXPECT_FALSE(IsLoopback(HostOfAddress("volume1.example:7000")));
}

TEST(ServeTest, PortFileHoldsThePort) {
  const TestDirectory directory;
  const std::string path = directory.path() + "/port";
  const auto server = StartServing(std::make_shared<FakeService>(), "127.0.0.1:0", path);
  ASSERT_TRUE(server.ok()) << server.status();
  std::ifstream file(path);
  int port = 0;
  file >> port;
  EXPECT_EQ(port, (*server)->port());
}

TEST(ServeTest, PortFileInAMissingFolderIsAnError) {
  const TestDirectory directory;
  const auto server =
      StartServing(std::make_shared<FakeService>(), "127.0.0.1:0", directory.path() + "/none/port");
  EXPECT_EQ(NumberOf(server.status()), ErrorNumber::kVolumeDown);
}

TEST(StopSignalTest, WakeEndsAWaitEvenWhenItCameFirst) {
  StopSignal stop;
  stop.Wake();
  EXPECT_EQ(stop.Wait(), 0);
}

TEST(StopSignalTest, SignalEndsAWait) {
  StopSignal stop;
  ASSERT_EQ(raise(SIGTERM), 0);
  EXPECT_EQ(stop.Wait(), SIGTERM);
}

}  // namespace
}  // namespace quire
