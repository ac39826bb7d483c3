// One server's life: its directory, its options, its end.
#include <signal.h>

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ServerTest : public ClusterTest {};

TEST_F(ServerTest, SecondServerOnADirectoryIsRefused) {
  ASSERT_NO_FATAL_FAILURE(StartVolume(1));
  const CommandResult second =
      Run("quire-volume", {"--name", "$DATA01", "--directory", volume_directory(1), "--capacity",
                           "1GiB", "--listen", "127.0.0.1:0"});
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_THAT(second.output, HasSubstr(volume_directory(1)));
  EXPECT_TRUE(volume(1).Running());
  // The lock goes with its process, also when that had no time to tidy up.
  volume(1).Kill();
  ASSERT_NO_FATAL_FAILURE(StartVolume(1));
}

TEST_F(ServerTest, PortInUseIsRefused) {
  ASSERT_NO_FATAL_FAILURE(StartVolume(1));
  const CommandResult second =
      Run("quire-volume", {"--name", "$DATA02", "--directory", volume_directory(2), "--capacity",
                           "1GiB", "--listen", volume_address(1)});
  EXPECT_EQ(second.exit_code, 3);
  EXPECT_THAT(second.output, HasSubstr(volume_address(1)));
}

TEST_F(ServerTest, TerminationDrainsAlthoughClientsHang) {
  const std::vector<std::string> options = {"--drain-ms", "1000", "--control-point-interval-ms",
                                            "600000"};
  ASSERT_NO_FATAL_FAILURE(StartCluster(1, options));
  ASSERT_EQ(FupScript("SET REC 4000\nSET KEYLEN 8\nSET EXT (20000,20000)\nSET BUFFERED\n"
                      "CREATE $DATA01.S.HANG\n")
                .exit_code,
            0);
  constexpr int kRecords = 2000;
  auto filesystem = ConnectToVolumes();
  ASSERT_NE(filesystem, nullptr);
  auto file = filesystem->Open("$DATA01.S.HANG", {.batch_operations = 64});
  ASSERT_TRUE(file.ok()) << Describe(file.status());
  int failed = 0;
  for (int number = 0; number < kRecords; ++number) {
    (*file)->WriteNowait(StrCat(10000000 + number, std::string(3900, 'h')),
                         [&](const absl::Status& status, std::string_view) {
                           if (!status.ok()) ++failed;
                         });
  }
  ASSERT_TRUE((*file)->Wait().ok());
  ASSERT_EQ(failed, 0);
  // An open that nobody uses, and a scan that nobody reads on: 8 MB do not fit into its windows.
  std::unique_ptr<Scanner> scan = (*file)->Scan({});
  ASSERT_TRUE(scan->Next().ok());

  volume(1).Signal(SIGTERM);
  EXPECT_EQ(volume(1).WaitForExit(absl::Seconds(15)), 0) << volume_log(1);
  EXPECT_THAT(volume_log(1), HasSubstr("draining"));
  scan.reset();
  file->reset();
  // The last control point has placed what was BUFFERED.
  ASSERT_NO_FATAL_FAILURE(StartVolume(1, options));
  filesystem = ConnectToVolumes();
  ASSERT_NE(filesystem, nullptr);
  auto info = filesystem->Info({.node = "", .volume = "$DATA01", .subvolume = "S", .file = "HANG"});
  ASSERT_TRUE(info.ok()) << Describe(info.status());
  EXPECT_EQ(info->primary.record_count, uint64_t{kRecords});
}

TEST_F(ServerTest, BadOptionsAreNamedAndExitWith2) {
  EXPECT_EQ(Run("quire-volume", {"--name", "DATA01", "--directory", folder()}).exit_code, 2);
  const CommandResult unknown = Run("quire-volume", {"--nmae", "$DATA01"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.output, HasSubstr("nmae"));
  EXPECT_EQ(Run("quire-router", {}).exit_code, 2);
  const std::string map = folder() + "/bad-map";
  WriteWholeFile(map, "$DATA01 = 127.0.0.1:1\nnonsense\n");
  const CommandResult bad_map = Run("quire-router", {"--volumes", map});
  EXPECT_EQ(bad_map.exit_code, 2);
  EXPECT_THAT(bad_map.output, HasSubstr("2"));
}

}  // namespace
}  // namespace quire
