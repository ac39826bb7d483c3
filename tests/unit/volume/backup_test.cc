// Backup and restore of one volume over real files: what is in the backup, how far a restore goes,
// and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "quire/error.h"
#include "server/trail/trail_archive.h"
#include "server/volume/backup_manifest.h"
#include "server/volume/restore.h"
#include "tests/support/blocking.h"
#include "tests/support/test_directory.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

using testing::HasSubstr;

namespace fs = std::filesystem;

constexpr char kFile[] = "$DATA01.S.F";
constexpr uint64_t kCapacityBytes = uint64_t{1} << 30;

class BackupTest : public testing::Test {
 protected:
  using Records = std::map<std::string, std::string>;

  VolumeOptions Options(const std::string& name) const {
    VolumeOptions options;
    options.name = "$DATA01";
    options.directory = Path(name);
    options.capacity_bytes = kCapacityBytes;
    options.cache_bytes = uint64_t{8} << 20;
    options.trail_segment_bytes = uint64_t{64} << 10;
    options.backup_directory = Path("backups");
    return options;
  }
  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }

  void SetUp() override {
    fs::create_directory(Path("backups"));
    fs::create_directory(Path("archive"));
  }

  void Start(VolumeOptions options) {
    auto volume = Volume::Open(std::move(options));
    ASSERT_TRUE(volume.ok()) << Describe(volume.status());
    volume_ = *std::move(volume);
  }
  void Create(FileMode mode = FileMode::kWriteThrough) {
    const auto created = Await<FileInfo>(
        [&](Done<FileInfo> done) { volume_->Create(SmallFile(kFile, mode), std::move(done)); });
    ASSERT_TRUE(created.ok()) << Describe(created.status());
  }
  absl::Status Write(int key) {
    return RunOne(*volume_, FileReference{*ParseFileName(kFile), 0, 0, "test"},
                  Operation{OperationKind::kWrite, {}, false, false, {}, SmallRecord(key)})
        .status();
  }
  // With twenty records.
  void StartWithArchive() {
    VolumeOptions options = Options("volume");
    options.archive_directory = Path("archive");
    Start(options);
    Create();
    MustWrite(1, 20);
  }
  void MustWrite(int first, int last) {
    for (int key = first; key <= last; ++key) {
      const absl::Status status = Write(key);
      ASSERT_TRUE(status.ok()) << key << ": " << Describe(status);
    }
  }
  absl::StatusOr<BackupAnswer> Backup(const std::string& directory) {
    return Await<BackupAnswer>([&](Done<BackupAnswer> done) {
      volume_->Backup({"$DATA01", directory}, std::move(done));
    });
  }
  absl::StatusOr<RestoreReport> Restore(const std::string& to, ReplayLimit limit = {},
                                        std::vector<std::string> archives = {}) {
    RestoreRequest request;
    request.backup = Path("backups/one");
    request.volume = Options(to);
    request.archives = std::move(archives);
    request.limit = limit;
    return RestoreVolume(request);
  }
  // How many of the records 1, 2, 3 … there are, without a gap; the trees are checked.
  int Count(const std::string& name) {
    volume_.reset();
    Start(Options(name));
    if (volume_ == nullptr) return -1;
    EXPECT_TRUE(volume_->CheckTrees().ok());
    int count = 0;
    for (int key = 1;; ++key) {
      const auto found = RunOne(
          *volume_, FileReference{*ParseFileName(kFile), 0, 0, "test"},
          Operation{OperationKind::kRead, ReadMode::kByKey, false, false, SmallKey(key), {}});
      if (!found.ok()) {
        EXPECT_EQ(NumberOf(found.status()), ErrorNumber::kNotFound);
        break;
      }
      EXPECT_EQ(*found, SmallRecord(key));
      ++count;
    }
    return count;
  }

  TestDirectory directory_;
  std::unique_ptr<Volume> volume_;
};

TEST_F(BackupTest, RestoreGivesWhatWasAcknowledged) {
  for (const FileMode mode : {FileMode::kWriteThrough, FileMode::kAudit, FileMode::kBuffered}) {
    const std::string name = "volume" + std::to_string(static_cast<int>(mode));
    Start(Options(name));
    Create(mode);
    MustWrite(1, 300);
    const auto answer = Backup("one");
    ASSERT_TRUE(answer.ok()) << Describe(answer.status());
    EXPECT_GT(answer->bytes, 0u);
    MustWrite(301, 400);
    const auto report = Restore("new" + name);
    ASSERT_TRUE(report.ok()) << Describe(report.status());
    EXPECT_EQ(report->volume, "$DATA01");
    EXPECT_EQ(report->last_lsn, answer->last_lsn);
    EXPECT_FALSE(report->stopped);
    EXPECT_EQ(Count("new" + name), 300);
    fs::remove_all(Path("backups/one"));
    volume_.reset();
  }
}

TEST_F(BackupTest, UnderLoadNothingAcknowledgedBeforeIsMissing) {
  Start(Options("volume"));
  Create();
  std::atomic<int> acknowledged = 0;
  std::atomic<bool> enough = false;
  std::thread writer([&] {
    for (int key = 1; !enough && key < 9999; ++key) {
      if (!Write(key).ok()) break;
      acknowledged = key;
    }
  });
  while (acknowledged < 50) std::this_thread::yield();
  const int before = acknowledged;
  const auto answer = Backup("one");
  enough = true;
  writer.join();
  ASSERT_TRUE(answer.ok()) << Describe(answer.status());
  const int all = acknowledged;
  ASSERT_TRUE(Restore("new").ok());
  const int restored = Count("new");
  EXPECT_GE(restored, before);
  EXPECT_LE(restored, all + 1);
}

TEST_F(BackupTest, ToAnLsnOrATimeGivesThatPrefix) {
  StartWithArchive();
  const auto answer = Backup("one");
  ASSERT_TRUE(answer.ok()) << Describe(answer.status());
  MustWrite(21, 400);
  volume_.reset();
  // The volume's own trail goes on where the archive ends.
  const std::vector<std::string> sources = {Path("archive"), Path("volume/trail")};
  auto whole = Restore("whole", {}, sources);
  ASSERT_TRUE(whole.ok()) << Describe(whole.status());
  EXPECT_EQ(Count("whole"), 400);
  // Every batch is one record here: so many LSNs further, so many records more.
  int last = 20;
  int64_t middle_time_us = 0;
  for (const Lsn further : {3, 100, 250}) {
    const std::string name = "lsn" + std::to_string(further);
    const auto report = Restore(name, {.lsn = answer->last_lsn + further}, sources);
    ASSERT_TRUE(report.ok()) << Describe(report.status());
    EXPECT_TRUE(report->stopped);
    EXPECT_LE(report->last_lsn, answer->last_lsn + further);
    const int count = Count(name);
    EXPECT_GE(count, last);
    EXPECT_LT(count, 400);
    last = count;
    middle_time_us = report->time_us;
  }
  EXPECT_GT(last, 20);
  const auto timed = Restore("timed", {.time_us = middle_time_us}, sources);
  ASSERT_TRUE(timed.ok()) << Describe(timed.status());
  EXPECT_EQ(timed->time_us, middle_time_us);
  EXPECT_GE(Count("timed"), last);
}

TEST_F(BackupTest, TheRestoredVolumeGoesOnAndNeverReplaysTheRest) {
  Start(Options("volume"));
  Create();
  MustWrite(1, 20);
  ASSERT_TRUE(Backup("one").ok());
  MustWrite(21, 60);
  const uint64_t old_epoch = volume_->epoch();
  volume_.reset();
  const auto report = Restore("new", {}, {Path("volume/trail")});
  ASSERT_TRUE(report.ok()) << Describe(report.status());
  EXPECT_EQ(Count("new"), 60);
  EXPECT_GT(volume_->epoch(), old_epoch);
  MustWrite(61, 200);
  EXPECT_EQ(Count("new"), 200) << "also after another start";
}

TEST_F(BackupTest, AnotherNameIsTheNameOfItsFilesToo) {
  Start(Options("volume"));
  Create();
  MustWrite(1, 5);
  ASSERT_TRUE(Backup("one").ok());
  RestoreRequest request;
  request.backup = Path("backups/one");
  request.volume = Options("new");
  request.volume.name = "$DATA09";
  const auto report = RestoreVolume(request);
  ASSERT_TRUE(report.ok()) << Describe(report.status());
  EXPECT_EQ(report->volume, "$DATA09");
  volume_.reset();
  VolumeOptions options = Options("new");
  options.name = "$DATA09";
  Start(options);
  ListRequest list;
  list.fileset = *ParseFileset("$*.*.*");
  const auto page =
      Await<ListPage>([&](Done<ListPage> done) { volume_->List(list, std::move(done)); });
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->files.size(), 1u);
  EXPECT_EQ(page->files[0].name.ToString(), "$DATA09.S.F");
}

TEST_F(BackupTest, RefusedBackups) {
  VolumeOptions options = Options("volume");
  Start(options);
  for (const char* bad : {"../outside", "/tmp", "a/../../b", "", "."}) {
    EXPECT_EQ(NumberOf(Backup(bad).status()), ErrorNumber::kIllegalName) << bad;
  }
  fs::create_directory_symlink(directory_.path(), Path("backups/out"));
  EXPECT_EQ(NumberOf(Backup("out/x").status()), ErrorNumber::kIllegalName);
  ASSERT_TRUE(Backup("one").ok());
  EXPECT_EQ(NumberOf(Backup("one").status()), ErrorNumber::kAlreadyExists);
  EXPECT_TRUE(Backup(Path("backups/absolute")).ok()) << "inside, however it is written";
  EXPECT_FALSE(Backup("no/such/parent").ok());
  volume_.reset();
  options.backup_directory.clear();
  Start(options);
  EXPECT_EQ(NumberOf(Backup("two").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(std::distance(fs::directory_iterator(Path("backups")), fs::directory_iterator()), 3)
      << "what failed left nothing";
}

TEST_F(BackupTest, OneAtATime) {
  Start(Options("volume"));
  Create();
  MustWrite(1, 200);
  // The second is asked for before the first can have ended: its answer may be either.
  std::atomic<int> busy = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&, i] {
      const auto answer = Backup("b" + std::to_string(i));
      if (!answer.ok()) {
        EXPECT_EQ(NumberOf(answer.status()), ErrorNumber::kFileInUse);
        ++busy;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LT(busy, 6);
  EXPECT_TRUE(Backup("last").ok());
}

TEST_F(BackupTest, RefusedRestores) {
  Start(Options("volume"));
  Create();
  MustWrite(1, 100);
  const auto answer = Backup("one");
  ASSERT_TRUE(answer.ok());
  volume_.reset();
  EXPECT_EQ(NumberOf(Restore("volume").status()), ErrorNumber::kAlreadyExists);
  const auto before = Restore("new", {.lsn = answer->control_point_lsn - 1});
  EXPECT_THAT(Describe(before.status()), HasSubstr("before the backup's control point"));
  const auto beyond = Restore("new", {.lsn = answer->last_lsn + 1});
  EXPECT_THAT(Describe(beyond.status()), HasSubstr("beyond the end"));
  EXPECT_THAT(Describe(Restore("new", {.time_us = 1'000'000}).status()),
              HasSubstr("before the backup's control point"));
  EXPECT_EQ(NumberOf(Restore("new", {}, {Path("archive")}).status()), ErrorNumber::kNotFound);
  EXPECT_FALSE(fs::exists(Path("new")));
  EXPECT_FALSE(fs::exists(Path("new.unfinished")));
  fs::create_directory(Path("new"));
  EXPECT_TRUE(Restore("new").ok()) << "an empty directory will do";
  // One byte of the store differs.
  {
    std::fstream store(Path("backups/one/store/data.mdb"), std::ios::in | std::ios::out);
    store.seekp(5000);
    store.put('!');
  }
  EXPECT_THAT(Describe(Restore("other").status()), HasSubstr("its checksum differs"));
  fs::remove(Path("backups/one/manifest"));
  EXPECT_THAT(Describe(Restore("other").status()), HasSubstr("no manifest"));
}

TEST_F(BackupTest, AHoleBetweenBackupAndArchiveNamesWhatIsMissing) {
  StartWithArchive();
  const auto answer = Backup("one");
  ASSERT_TRUE(answer.ok());
  MustWrite(21, 400);
  volume_.reset();
  // The archive lost the segments that follow the backup's.
  const auto manifest = ReadBackup(Path("backups/one"));
  ASSERT_TRUE(manifest.ok());
  std::vector<fs::path> segments;
  for (const auto& entry : fs::directory_iterator(Path("volume/trail"))) {
    if (entry.path().extension() == ".trail") segments.push_back(entry.path());
  }
  std::sort(segments.begin(), segments.end());
  ASSERT_GT(segments.size(), 4u);
  for (size_t i = 0; i < segments.size() / 2; ++i) fs::remove(segments[i]);
  EXPECT_THAT(Describe(Restore("new", {}, {Path("volume/trail")}).status()),
              testing::ContainsRegex("LSN [0-9]+ to [0-9]+ are missing"));
}

TEST_F(BackupTest, ManifestComesBackAndNoticesEveryChange) {
  BackupManifest manifest;
  manifest.volume = "$DATA01";
  manifest.volume_id = 0x0123456789abcdef;
  manifest.control_point_lsn = 12;
  manifest.last_lsn = 34;
  manifest.files = {{"store/data.mdb", {4096, 7}}, {"trail/x", {0, 8}}};
  const std::string text = EncodeManifest(manifest);
  const auto parsed = ParseManifest(text, "dir");
  ASSERT_TRUE(parsed.ok()) << Describe(parsed.status());
  EXPECT_TRUE(*parsed == manifest);
  for (size_t i = 0; i < text.size(); ++i) {
    std::string changed = text;
    changed[i] = changed[i] == 'x' ? 'y' : 'x';
    EXPECT_FALSE(ParseManifest(changed, "dir").ok()) << i;
    EXPECT_FALSE(ParseManifest(text.substr(0, i), "dir").ok()) << i;
  }
}

TEST_F(BackupTest, ATrailOfItsOwnDirectoryIsNotReplacedByANewOne) {
  VolumeOptions options = Options("volume");
  options.trail_directory = Path("elsewhere");
  Start(options);
  Create();
  MustWrite(1, 10);
  volume_.reset();
  EXPECT_FALSE(fs::exists(Path("volume/trail")));
  const auto without = Volume::Open(Options("volume"));
  EXPECT_THAT(Describe(without.status()), HasSubstr("--trail"));
  EXPECT_FALSE(fs::exists(Path("volume/trail"))) << "nothing was made in its place";
  Start(options);
  // Another volume on the same trail directory, at the same time or later.
  VolumeOptions other = Options("other");
  other.trail_directory = Path("elsewhere");
  EXPECT_EQ(NumberOf(Volume::Open(other).status()), ErrorNumber::kFileInUse);
  volume_.reset();
  EXPECT_THAT(Describe(Volume::Open(other).status()), HasSubstr("belongs to another volume"));
}

}  // namespace
}  // namespace quire::test
