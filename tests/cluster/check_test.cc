// CHECK and INFO STATISTICS over real volumes, and quire-inspect beside and after their servers.
#include <atomic>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <thread>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "tests/support/process_fixture.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr char kName[] = "$DATA01.STOCK.PARTS";
constexpr int kRecords = 3000;

class CheckClusterTest : public ClusterTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartCluster(2));
    const CommandResult created = FupScript(
        "SET TYPE K\nSET REC 200\nSET KEYLEN 6\nSET EXT (100, 100)\nSET BUFFERED\n"
        "SET PART (1, $DATA02, 100, 100, \"002000\")\nCREATE $DATA01.STOCK.PARTS\n");
    ASSERT_EQ(created.exit_code, 0) << created.output;
    const std::unique_ptr<FileSystem> files = ConnectToRouter();
    ASSERT_NE(files, nullptr);
    absl::StatusOr<std::unique_ptr<File>> file = files->Open(kName);
    ASSERT_TRUE(file.ok()) << file.status();
    for (int key = 0; key < kRecords; ++key) {
      (*file)->WriteNowait(Record(key), [](const absl::Status& status, std::string_view) {
        EXPECT_TRUE(status.ok()) << status;
      });
    }
    ASSERT_TRUE((*file)->Wait().ok());
    ASSERT_TRUE((*file)->Close().ok());
  }
  static std::string Record(int key) { return absl::StrFormat("%06d", key) + std::string(94, '.'); }
  // Contents and times of every file of a volume.
  std::map<std::string, std::string> Files(int number) const {
    return ContentsAndTimes(volume_directory(number));
  }
};

TEST_F(CheckClusterTest, CheckAndStatisticsOfAPartitionedFile) {
  CommandResult result = Fup("CHECK $DATA01.STOCK.PARTS");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("$DATA01.STOCK.PARTS IS WHOLE: 2000 RECORDS, "));
  EXPECT_THAT(result.output, HasSubstr("$DATA02.STOCK.PARTS IS WHOLE: 1000 RECORDS, "));
  EXPECT_THAT(result.output, HasSubstr("FILES CHECKED: 1\nFILES BAD: 0\n"));
  result = Fup("INFO $DATA01.STOCK.PARTS, STAT");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, ContainsRegex("     1  +1  +.*\\$DATA01\n     DATA  +[0-9]+  +2000 "));
  EXPECT_THAT(result.output, ContainsRegex("     1  +1  +.*\\$DATA02\n     DATA  +[0-9]+  +1000 "));
  volume(2).Kill();
  result = Fup("CHECK $DATA01.STOCK.PARTS");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.output, HasSubstr("$DATA01.STOCK.PARTS IS WHOLE"));
  EXPECT_THAT(result.output, HasSubstr("ERROR - $DATA02.STOCK.PARTS: FILE SYSTEM ERROR: ERR 66"));
}

// R-D14: another process reads the environment with LMDB's locks, while control points go on.
TEST_F(CheckClusterTest, R_D14_InspectASnapshotBesideARunningServer) {
  const std::string directory = volume_directory(1);
  CommandResult result = Run("quire-inspect", {directory, "check"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.output, HasSubstr("--snapshot"));
  ASSERT_EQ(Fup("REFRESH").exit_code, 0);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    const std::unique_ptr<FileSystem> files = ConnectToRouter();
    absl::StatusOr<std::unique_ptr<File>> file = files->Open(kName);
    ASSERT_TRUE(file.ok()) << file.status();
    for (int key = 0; !stop.load(); key = (key + 1) % 2000) {
      EXPECT_TRUE((*file)->Update(Record(key) + "later").ok());
      if (key % 200 == 0) {
        EXPECT_TRUE(files->Refresh("$DATA01").ok());
      }
    }
  });
  for (int round = 0; round < 10; ++round) {
    result = Run("quire-inspect", {directory, "check", "--snapshot"});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("$DATA01.STOCK.PARTS: whole, 2000 records"));
    result = Run("quire-inspect", {directory, "trail", "--snapshot"});
    EXPECT_EQ(result.exit_code, 0) << result.output;
  }
  stop = true;
  writer.join();
  EXPECT_EQ(Fup("CHECK $DATA01.STOCK.PARTS").exit_code, 0);  // and the server did not notice
}

TEST_F(CheckClusterTest, InspectAfterTheServerWritesNothing) {
  ASSERT_EQ(Fup("REFRESH").exit_code, 0);
  ASSERT_EQ(Fup("CREATE $DATA01.STOCK.LATER, KEYLEN 8").exit_code, 0);
  volume(1).Kill();  // its trail holds what its store does not
  const std::map<std::string, std::string> before = Files(1);
  for (const char* option : {"--snapshot", "--hex"}) {
    for (const std::string command : {"check", "trail", "files", "meta"}) {
      const CommandResult result = Run("quire-inspect", {volume_directory(1), command, option});
      EXPECT_EQ(result.exit_code, 0) << command << result.output;
    }
  }
  const CommandResult block =
      Run("quire-inspect", {volume_directory(1), "block", "STOCK.PARTS", "1"});
  EXPECT_THAT(block.output, HasSubstr("key \"000000\""));
  EXPECT_TRUE(before == Files(1));
}

}  // namespace
}  // namespace quire
