// Files on real volumes in this process: what the File says, the volume's session does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "client/filesystem/file_system.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/blocking.h"
#include "tests/support/test_random.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

constexpr char kName[] = "$DATA01.SHOP.STOCK";

int Number(const absl::Status& status) {
  return static_cast<int>(NumberOf(status));
}
template <typename T>
int Number(const absl::StatusOr<T>& result) {
  return Number(result.status());
}

class FileOnVolume : public ::testing::Test {
 protected:
  FileOnVolume() {
    const auto created = Await<FileInfo>(
        [&](Done<FileInfo> done) { volume_->Create(SmallFile(kName, true), std::move(done)); });
    EXPECT_TRUE(created.ok()) << created.status();
    // The volume outlives what is made over it.
    files_ = MakeFileSystem(std::shared_ptr<Service>(std::shared_ptr<void>(), &volume_.volume()),
                            "test");
  }

  std::unique_ptr<File> Open(const FileOpenOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<File>> file = files_->Open(kName, options);
    EXPECT_TRUE(file.ok()) << Describe(file.status());
    return file.ok() ? *std::move(file) : nullptr;
  }

  TestVolume volume_;
  std::unique_ptr<FileSystem> files_;
};

TEST_F(FileOnVolume, PositionedReadsAndUpdates) {
  const std::unique_ptr<File> file = Open();
  for (int key : {1, 12, 13, 27}) ASSERT_TRUE(file->Write(SmallRecord(key)).ok());
  ASSERT_TRUE(file->SetPosition({.key = "001", .mode = PositioningMode::kGeneric}).ok());
  EXPECT_EQ(*file->ReadNext(), SmallRecord(12));
  EXPECT_EQ(*file->ReadNextLock(), SmallRecord(13));
  EXPECT_EQ(Number(file->ReadNext()), 1);
  EXPECT_EQ(Number(file->WriteUpdate(SmallRecord(14))), 46);
  EXPECT_TRUE(file->WriteUpdateUnlock(SmallRecord(13, "changed")).ok());
  EXPECT_EQ(*file->ReadUpdate(), SmallRecord(13, "changed"));
  EXPECT_TRUE(file->WriteUpdate("").ok());
  EXPECT_EQ(Number(file->ReadUpdate()), 11);
  ASSERT_TRUE(file->SetPosition({.key = "0020", .reverse = true}).ok());
  EXPECT_EQ(*file->ReadNext(), SmallRecord(12));
  ASSERT_TRUE(file->SetPosition({.key = "0099", .mode = PositioningMode::kExact}).ok());
  EXPECT_EQ(Number(file->ReadNext()), 1);
  EXPECT_EQ(Number(file->ReadUpdate()), 11);
}

TEST_F(FileOnVolume, LocksOfTwoOpens) {
  const std::unique_ptr<File> one = Open();
  ASSERT_TRUE(one->Write(SmallRecord(1)).ok());
  FileOpenOptions warn;
  warn.lock_mode = LockMode::kReadWarn;
  warn.lock_timeout = absl::Milliseconds(1);
  const std::unique_ptr<File> two = Open(warn);
  EXPECT_EQ(*one->ReadNextLock(), SmallRecord(1));
  EXPECT_EQ(*two->ReadNext(), SmallRecord(1));
  EXPECT_EQ(two->last_warning(), ErrorNumber::kReadThroughLock);
  EXPECT_EQ(Number(two->WriteUpdate(SmallRecord(1))), 73);
  EXPECT_EQ(Number(two->LockRecord()), 40);
  EXPECT_TRUE(two->SetLockMode(LockMode::kReject).ok());
  EXPECT_EQ(Number(two->LockRecord()), 73);
  EXPECT_EQ(Number(two->SetLockMode(static_cast<LockMode>(5))), 2);
  const auto locks = files_->ListLocks(*ParseFileName(kName), true);
  ASSERT_TRUE(locks.ok() && locks->size() == 1) << Describe(locks.status());
  EXPECT_EQ((*locks)[0].open_id, one->open_id());
  const auto opens = files_->ListOpens(*ParseFileName(kName));
  ASSERT_TRUE(opens.ok());
  EXPECT_EQ(opens->size(), 2u);
  EXPECT_TRUE(one->UnlockRecord().ok());
  EXPECT_TRUE(two->LockFile().ok());
  EXPECT_EQ(Number(one->Write(SmallRecord(2))), 73);
  EXPECT_TRUE(two->UnlockFile().ok());
  EXPECT_TRUE(one->Write(SmallRecord(2)).ok());
}

TEST_F(FileOnVolume, CancelEndsTheWaitForALock) {
  const std::unique_ptr<File> one = Open();
  const std::unique_ptr<File> two = Open();
  ASSERT_TRUE(one->Write(SmallRecord(1)).ok());
  EXPECT_TRUE(one->ReadNextLock().ok());
  std::thread waits([&] { EXPECT_EQ(Number(two->ReadNextLock()), 40); });
  // Until the lock call waits there is nothing to cancel.
  const auto waiting = [&] {
    const auto locks = files_->ListLocks(*ParseFileName(kName), false);
    return !locks.ok() || locks->size() == 2;
  };
  while (!waiting()) std::this_thread::yield();
  two->CancelWait();
  waits.join();
  EXPECT_TRUE(one->UnlockRecord().ok());
  EXPECT_EQ(*two->ReadNextLock(), SmallRecord(1));
}

// A reader with a buffer beside a writer, on a tree that splits meanwhile: every record that stands
// throughout comes once, in order.
TEST_F(FileOnVolume, BufferedReaderBesideAWriter) {
  TestRandom random;
  const std::unique_ptr<File> writer = Open();
  std::set<int> standing;
  while (standing.size() < 300) standing.insert(static_cast<int>(random.Below(3000)) * 2);
  for (const int key : standing) ASSERT_TRUE(writer->Write(SmallRecord(key)).ok());
  FileOpenOptions buffered;
  buffered.access = AccessMode::kRead;
  buffered.sequential_buffer_bytes = 256;
  const std::unique_ptr<File> reader = Open(buffered);
  ASSERT_EQ(reader->open_warning(), ErrorNumber::kOk);
  for (int round = 0; round < 6; ++round) {
    const int from = static_cast<int>(random.Below(6000));
    const bool reverse = random.OneIn(2);
    const std::string key_from = SmallKey(from);
    ASSERT_TRUE(reader->SetPosition({.key = key_from, .reverse = reverse}).ok());
    std::vector<int> found;
    std::string last;
    while (true) {
      const int passing = static_cast<int>(random.Below(3000)) * 2 + 1;
      (random.OneIn(2) ? writer->Write(SmallRecord(passing)) : writer->Delete(SmallKey(passing)))
          .IgnoreError();
      const absl::StatusOr<std::string> record = reader->ReadNext();
      if (!record.ok()) {
        ASSERT_EQ(Number(record), 1) << Describe(record.status());
        break;
      }
      const std::string key = record->substr(0, 4);
      ASSERT_TRUE(last.empty() || (reverse ? key < last : key > last)) << key << " after " << last;
      last = key;
      if (standing.count(std::stoi(key)) != 0) found.push_back(std::stoi(key));
    }
    std::vector<int> expected;
    for (const int key : standing) {
      if (reverse ? key <= from : key >= from) expected.push_back(key);
    }
    if (reverse) std::reverse(expected.begin(), expected.end());
    ASSERT_EQ(found, expected) << "from " << from << " reverse " << reverse;
  }
}

}  // namespace
}  // namespace quire::test
