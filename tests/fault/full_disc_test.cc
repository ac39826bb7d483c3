// A volume filled to the brim and emptied again: its capacity (LMDB's map) and a real full disc.
#include <sched.h>
#include <sys/mount.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

constexpr int kMostRecords = 40000;
constexpr int kRounds = 3;

class FullDiscTest : public ClusterTest {
 protected:
  void Connect() {
    filesystem_ = ConnectToVolumes();
    ASSERT_NE(filesystem_, nullptr);
  }
  void MakeFile() {
    FileAttributes attributes;
    attributes.record_bytes = 2000;
    attributes.key_length = 8;
    attributes.extents = {50000, 50000};
    const auto created = filesystem_->Create(kName, attributes);
    ASSERT_TRUE(created.ok()) << Describe(created.status());
    auto opened = filesystem_->Open(kName, {.batch_operations = 8});
    ASSERT_TRUE(opened.ok()) << Describe(opened.status());
    file_ = *std::move(opened);
  }
  static std::string KeyOf(int number) { return absl::StrFormat("%08d", number); }
  static std::string Record(int number) { return KeyOf(number) + std::string(1500, 'f'); }

  // Writes until the volume has no room; how many records it took.
  int Fill() {
    std::atomic<int> taken = 0;
    std::atomic<int> refused = 0;
    for (int number = 0; number < kMostRecords && refused == 0; ++number) {
      file_->WriteNowait(Record(number), [&](const absl::Status& status, std::string_view) {
        ++(status.ok() ? taken : refused);
        if (status.ok()) return;
        EXPECT_EQ(NumberOf(status), ErrorNumber::kNoDiscSpace) << Describe(status);
        EXPECT_EQ(RetryOf(status), Retry::kSafe);
      });
    }
    EXPECT_TRUE(file_->Wait().ok());
    EXPECT_GT(refused, 0) << "it is never full";
    return taken;
  }
  int Count() {
    int found = 0;
    const auto scan = file_->Scan({});
    auto record = scan->Next();
    for (; record.ok(); record = scan->Next()) ++found;
    EXPECT_EQ(NumberOf(record.status()), ErrorNumber::kEndOfFile) << Describe(record.status());
    return found;
  }
  // Fills, reads, deletes, purges; then the same again, without a restart.
  void FillAndEmptyInRounds() {
    ASSERT_NO_FATAL_FAILURE(Connect());
    for (int round = 0; round < kRounds; ++round) {
      SCOPED_TRACE(round);
      ASSERT_NO_FATAL_FAILURE(MakeFile());
      const int taken = Fill();
      EXPECT_GT(taken, 100);
      EXPECT_EQ(Count(), taken);
      for (int number = 0; number < 50; ++number) {
        // The trail may have to wait for a control point.
        absl::Status status;
        EXPECT_TRUE(WaitUntil([&] { return (status = file_->Delete(KeyOf(number))).ok(); }))
            << Describe(status);
      }
      EXPECT_EQ(Count(), taken - 50);
      ASSERT_TRUE(file_->Close().ok());
      absl::Status purged;
      EXPECT_TRUE(WaitUntil([&] { return (purged = filesystem_->Purge(kName)).ok(); }))
          << Describe(purged);
      // Its pages come free over the next control points.
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(WaitUntil([&] { return filesystem_->Refresh("").ok(); }));
      }
    }
    ASSERT_NO_FATAL_FAILURE(MakeFile());
    EXPECT_TRUE(WaitUntil([&] { return file_->Write(Record(1)).ok(); }));
    EXPECT_TRUE(volume(1).Running());
    file_.reset();
    filesystem_.reset();
    volume(1).Kill();
    ASSERT_NO_FATAL_FAILURE(StartVolume(1, options_));
    ASSERT_NO_FATAL_FAILURE(Connect());
    auto opened = filesystem_->Open(kName, {});
    ASSERT_TRUE(opened.ok()) << Describe(opened.status());
    file_ = *std::move(opened);
    EXPECT_EQ(Count(), 1);
  }

  const FileName kName{"", "$DATA01", "S", "FULL"};
  std::vector<std::string> options_;
  std::unique_ptr<FileSystem> filesystem_;
  std::unique_ptr<File> file_;
};

TEST_F(FullDiscTest, CapacityUsedUpThreeTimes_R_D8) {
  options_ = {"--capacity", "12MiB", "--control-point-interval-ms", "50"};
  ASSERT_NO_FATAL_FAILURE(StartVolume(1, options_));
  FillAndEmptyInRounds();
}

// A file system of memory with little room, mounted for this thread and its children alone.
TEST_F(FullDiscTest, DiscFullThreeTimes_R_D8) {
  std::filesystem::create_directories(volume_directory(1));
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("none", volume_directory(1).c_str(), "tmpfs", 0, "size=24m") != 0) {
    GTEST_SKIP() << "this test needs the right to mount a file system: "
                 << std::generic_category().message(errno);
  }
  options_ = {"--control-point-interval-ms", "50"};
  ASSERT_NO_FATAL_FAILURE(StartVolume(1, options_));
  FillAndEmptyInRounds();
  volume(1).Kill();
  EXPECT_EQ(umount(volume_directory(1).c_str()), 0);
}

}  // namespace
}  // namespace quire
