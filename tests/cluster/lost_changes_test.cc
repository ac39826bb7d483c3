// 122 over real processes (R-D9): an open whose acknowledged changes of a BUFFERED file were lost
// by a kill -9 is told once, and no other is.
#include <csignal>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

constexpr char kFile[] = "$DATA01.S.LOSSY";
// No control point but those that are asked for.
constexpr char kQuiet[] = "--control-point-interval-ms=3600000";
// Client and router wait for a volume that was just started, however busy the machine is.
constexpr absl::Duration kRetryTime = absl::Seconds(25);
constexpr char kPatient[] = "--retry-ms=25000";

class LostChangesTest : public ClusterTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartVolume(1, {kQuiet}));
    ASSERT_NO_FATAL_FAILURE(StartRouter({kPatient}));
    const CommandResult created =
        FupScript("SET REC 80\nSET KEYLEN 8\nSET BUFFERED\nCREATE $DATA01.S.LOSSY\n");
    ASSERT_EQ(created.exit_code, 0) << created.output;
  }

  std::unique_ptr<FileSystem> AtTheRouter() {
    return Connect({.router = router_address(), .retry_time = kRetryTime});
  }
  std::unique_ptr<FileSystem> AtTheVolume() {
    return Connect({.volumes = {{VolumeName(1), volume_address(1)}}, .retry_time = kRetryTime});
  }

  static std::string RecordOf(int key) { return absl::StrFormat("%08d and more", key); }

  void KillVolume() {
    volume(1).Kill();
    ASSERT_NO_FATAL_FAILURE(StartVolume(1, {kQuiet}));
  }
  void Refresh() { ASSERT_EQ(Fup("REFRESH $DATA01").exit_code, 0); }

  static std::unique_ptr<FileSystem> Connect(const ConnectOptions& options) {
    auto connected = FileSystem::Connect(options);
    EXPECT_TRUE(connected.ok()) << Describe(connected.status());
    return connected.ok() ? *std::move(connected) : nullptr;
  }

  // Rounds of writing, perhaps a REFRESH, and a kill; the open is told exactly when it lost some.
  void CheckRounds(FileSystem& filesystem) {
    auto file = filesystem.Open(kFile);
    ASSERT_TRUE(file.ok()) << Describe(file.status());
    auto reader = filesystem.Open(kFile);
    ASSERT_TRUE(reader.ok()) << Describe(reader.status());
    int key = 0;
    for (int round = 0; round < 8; ++round) {
      SCOPED_TRACE(round);
      const bool loses = round % 2 == 1;
      for (int i = 0; i < 5; ++i) ASSERT_TRUE((*file)->Write(RecordOf(++key)).ok());
      const std::string last = RecordOf(key);
      if (!loses) Refresh();
      ASSERT_NO_FATAL_FAILURE(KillVolume());
      if (loses) {
        const absl::Status told = (*file)->Write(RecordOf(++key));
        EXPECT_EQ(NumberOf(told), ErrorNumber::kDataLoss) << Describe(told);
      }
      const absl::Status next = (*file)->Write(RecordOf(++key));
      EXPECT_TRUE(next.ok()) << Describe(next);
      // Who only reads has lost nothing, whatever others lost.
      EXPECT_EQ((*reader)->Read(last.substr(0, 8)).ok(), !loses);
      EXPECT_TRUE((*reader)->Read(RecordOf(key).substr(0, 8)).ok());
      Refresh();  // what this round wrote behind the loss
    }
    EXPECT_TRUE((*reader)->Close().ok());
    EXPECT_TRUE((*file)->Close().ok());
  }
};

TEST_F(LostChangesTest, ToldOnceOverTheRouter_R_D9) {
  const auto filesystem = AtTheRouter();
  ASSERT_NE(filesystem, nullptr);
  CheckRounds(*filesystem);
}

TEST_F(LostChangesTest, ToldOnceAtTheVolume_R_D9) {
  const auto filesystem = AtTheVolume();
  ASSERT_NE(filesystem, nullptr);
  CheckRounds(*filesystem);
}

TEST_F(LostChangesTest, ToldByTheTokenWhenTheRouterIsKilledToo_R_D9) {
  const auto filesystem = AtTheRouter();
  ASSERT_NE(filesystem, nullptr);
  auto file = filesystem->Open(kFile);
  ASSERT_TRUE(file.ok()) << Describe(file.status());
  ASSERT_TRUE((*file)->Write(RecordOf(1)).ok());
  router().Kill();
  ASSERT_NO_FATAL_FAILURE(KillVolume());
  ASSERT_NO_FATAL_FAILURE(StartRouter({kPatient}));
  EXPECT_EQ(NumberOf((*file)->Write(RecordOf(2))), ErrorNumber::kDataLoss);
  EXPECT_TRUE((*file)->Write(RecordOf(2)).ok());
}

TEST_F(LostChangesTest, TheLastCloseAndAnOrderlyStopLoseNothing_R_D9) {
  const auto filesystem = AtTheVolume();
  ASSERT_NE(filesystem, nullptr);
  auto file = filesystem->Open(kFile);
  ASSERT_TRUE(file.ok()) << Describe(file.status());
  ASSERT_TRUE((*file)->Write(RecordOf(1)).ok());
  ASSERT_TRUE((*file)->Close().ok());
  ASSERT_NO_FATAL_FAILURE(KillVolume());
  file = filesystem->Open(kFile);
  ASSERT_TRUE(file.ok()) << Describe(file.status());
  EXPECT_TRUE((*file)->Read(RecordOf(1).substr(0, 8)).ok());
  ASSERT_TRUE((*file)->Write(RecordOf(2)).ok());
  volume(1).Signal(SIGTERM);
  EXPECT_EQ(volume(1).WaitForExit(), 0);
  ASSERT_NO_FATAL_FAILURE(StartVolume(1, {kQuiet}));
  EXPECT_TRUE((*file)->Write(RecordOf(3)).ok());
  EXPECT_TRUE((*file)->Read(RecordOf(2).substr(0, 8)).ok());
}

}  // namespace
}  // namespace quire
