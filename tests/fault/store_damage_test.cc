// Bytes of the store that go bad beneath a server (R-D14): one file's block, LMDB's own pages, and
// pages that are not there at all.
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/health_watch.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;

constexpr int kStoreFailedCode = 11;
constexpr size_t kPageBytes = 4096;
// LMDB: flags at byte 10 of a page; pages 0 and 1 are its meta pages.
constexpr size_t kFlagsOffset = 10;
constexpr unsigned kBranchOrLeaf = 0x03;
constexpr size_t kFirstDataPage = 2;
constexpr int kRecords = 600;

class StoreDamageTest : public ClusterTest {
 protected:
  // Two files, larger than the cache, all in the store.
  void MakeFiles() {
    ASSERT_NO_FATAL_FAILURE(StartVolume(1, kOptions));
    filesystem_ = ConnectToVolumes();
    ASSERT_NE(filesystem_, nullptr);
    for (const char* name : {"GOOD", "BAD"}) {
      FileAttributes attributes;
      attributes.record_bytes = 2000;
      attributes.key_length = 8;
      attributes.extents = {2000, 2000};
      ASSERT_TRUE(filesystem_->Create({"", "$DATA01", "S", name}, attributes).ok());
      auto file = Open(name);
      ASSERT_NE(file, nullptr);
      for (int i = 0; i < kRecords; ++i) {
        file->WriteNowait(Record(name, i), [](const absl::Status& status, std::string_view) {
          EXPECT_TRUE(status.ok()) << Describe(status);
        });
      }
      ASSERT_TRUE(file->Wait().ok());
    }
    ASSERT_TRUE(filesystem_->Refresh("").ok());
  }
  void Restart() {
    filesystem_.reset();
    volume(1).Kill();
    ASSERT_NO_FATAL_FAILURE(StartVolume(1, kOptions));
    filesystem_ = ConnectToVolumes();
    ASSERT_NE(filesystem_, nullptr);
  }
  std::unique_ptr<File> Open(const std::string& name) {
    auto file = filesystem_->Open("$DATA01.S." + name);
    if (file.ok()) return *std::move(file);
    ADD_FAILURE() << Describe(file.status());
    return nullptr;
  }
  static std::string KeyOf(int number) { return absl::StrFormat("%08d", number); }
  static std::string Record(const std::string& name, int number) {
    return KeyOf(number) + name + std::string(1000, 'd');
  }
  // Every record in turn until one cannot be read.
  static absl::Status ReadUntilBad(File& file) {
    for (int i = 0; i < kRecords; ++i) {
      if (auto record = file.Read(KeyOf(i)); !record.ok()) return record.status();
    }
    return absl::OkStatus();
  }
  std::string StorePath() const { return StrCat(volume_directory(1), "/store/data.mdb"); }
  void Overwrite(size_t offset, std::string_view bytes) {
    const int file = open(StorePath().c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_EQ(pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(bytes.size()));
    close(file);
  }
  void ExpectStoreFailed(const HealthWatch& watch) {
    EXPECT_EQ(volume(1).WaitForExit(), kStoreFailedCode) << volume_log(1);
    EXPECT_THAT(watch.said(), Contains(kNotServing));
  }

  static const std::vector<std::string> kOptions;
  std::unique_ptr<FileSystem> filesystem_;
};

const std::vector<std::string> StoreDamageTest::kOptions = {"--cache", "256KiB", "--dirty-limit",
                                                            "128KiB"};

TEST_F(StoreDamageTest, BadBlockIs59ForItsFileAlone_R_D14) {
  ASSERT_NO_FATAL_FAILURE(MakeFiles());
  filesystem_.reset();
  volume(1).Signal(SIGTERM);
  ASSERT_EQ(volume(1).WaitForExit(), 0);
  // One record of BAD, in whatever pages still have it.
  const std::string bytes = ReadWholeFile(StorePath());
  const std::string record = Record("BAD", kRecords / 2).substr(0, 20);
  int found = 0;
  for (size_t at = bytes.find(record); at != std::string::npos; at = bytes.find(record, at + 1)) {
    Overwrite(at + 9, "X");
    ++found;
  }
  ASSERT_GT(found, 0);
  ASSERT_NO_FATAL_FAILURE(StartVolume(1, kOptions));
  filesystem_ = ConnectToVolumes();
  ASSERT_NE(filesystem_, nullptr);
  auto bad = Open("BAD");
  auto good = Open("GOOD");
  ASSERT_TRUE(bad != nullptr && good != nullptr);
  const absl::Status status = ReadUntilBad(*bad);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kFileBad) << Describe(status);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("file"), HasSubstr("block"), HasSubstr("checksum")));
  EXPECT_EQ(NumberOf(bad->Update(Record("BAD", kRecords / 2))), ErrorNumber::kFileBad);
  EXPECT_TRUE(bad->Read(KeyOf(0)).ok()) << "its other blocks can be read";
  EXPECT_TRUE(ReadUntilBad(*good).ok());
  EXPECT_TRUE(good->Write(Record("GOOD", kRecords)).ok());
  ASSERT_TRUE(bad->Close().ok());
  const absl::Status purged = filesystem_->Purge({"", "$DATA01", "S", "BAD"});
  EXPECT_TRUE(purged.ok()) << Describe(purged);
  EXPECT_TRUE(filesystem_->Refresh("").ok());
  EXPECT_TRUE(ReadUntilBad(*good).ok());
  EXPECT_TRUE(volume(1).Running());
}

TEST_F(StoreDamageTest, DamagedStorePageStopsTheVolume_R_D14) {
  ASSERT_NO_FATAL_FAILURE(MakeFiles());
  ASSERT_NO_FATAL_FAILURE(Restart());
  const HealthWatch watch(volume_address(1));
  ASSERT_TRUE(WaitUntil([&] { return !watch.said().empty(); }));
  auto file = Open("GOOD");
  ASSERT_NE(file, nullptr);
  const std::string bytes = ReadWholeFile(StorePath());
  for (size_t page = kFirstDataPage; (page + 1) * kPageBytes <= bytes.size(); ++page) {
    const size_t offset = page * kPageBytes + kFlagsOffset;
    const auto flags = static_cast<unsigned char>(bytes[offset]);
    if ((flags & kBranchOrLeaf) != 0) Overwrite(offset, std::string_view("\0\0", 2));
  }
  const absl::Status failed = ReadUntilBad(*file);
  EXPECT_THAT(NumberOf(failed), AnyOf(ErrorNumber::kVolumeDown, ErrorNumber::kPathDown));
  EXPECT_THAT(std::string(failed.message()), AllOf(HasSubstr("block"), HasSubstr("damaged")));
  ExpectStoreFailed(watch);
  EXPECT_THAT(volume_log(1), AllOf(HasSubstr("the volume is latched"), HasSubstr("is damaged")));
}

TEST_F(StoreDamageTest, StoreCutShortEndsTheServer_R_D14) {
  ASSERT_NO_FATAL_FAILURE(MakeFiles());
  ASSERT_NO_FATAL_FAILURE(Restart());
  const HealthWatch watch(volume_address(1));
  ASSERT_TRUE(WaitUntil([&] { return !watch.said().empty(); }));
  auto file = Open("GOOD");
  ASSERT_NE(file, nullptr);
  std::filesystem::resize_file(StorePath(), kFirstDataPage * kPageBytes);
  EXPECT_FALSE(ReadUntilBad(*file).ok());
  ExpectStoreFailed(watch);
  EXPECT_THAT(volume_log(1),
              AllOf(HasSubstr("SIGBUS at address 0x"), HasSubstr("byte "), HasSubstr(StorePath())));
}

}  // namespace
}  // namespace quire
