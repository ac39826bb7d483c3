// Backup and restore with the commands a user types: deploy/backup.sh on a real server under load,
// deploy/restore.sh afterwards, up to the end, an LSN or a time.
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "gmock/gmock.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr char kFile[] = "$DATA01.S.MONEY";

class BackupClusterTest : public ClusterTest, public testing::WithParamInterface<bool> {
 protected:
  using Records = std::map<std::string, std::string>;

  void Start() {
    fs::create_directory(folder() + "/backups");
    fs::create_directory(folder() + "/archive");
    ASSERT_NO_FATAL_FAILURE(StartCluster(1, options_));
    filesystem_ = ConnectToRouter();
    ASSERT_NE(filesystem_, nullptr);
    FileAttributes attributes;
    attributes.record_bytes = 200;
    attributes.key_length = 8;
    attributes.extents = {500, 500};
    attributes.max_extents = 100;
    attributes.audit = GetParam();
    const auto created = filesystem_->Create(*ParseFileName(kFile), attributes);
    ASSERT_TRUE(created.ok()) << Describe(created.status());
    auto file = filesystem_->Open(kFile);
    ASSERT_TRUE(file.ok()) << Describe(file.status());
    file_ = *std::move(file);
  }

  static std::string Key(int number) { return absl::StrFormat("K%07d", number); }
  static std::string Record(int number) {
    return Key(number) + std::string(static_cast<size_t>(number % 150), 'r');
  }
  void Write(int first, int last) {
    for (int number = first; number <= last; ++number) {
      const absl::Status status = file_->Write(Record(number));
      ASSERT_TRUE(status.ok()) << number << ": " << Describe(status);
      acknowledged_ = number;
    }
  }

  // A script of deploy/, with what it printed.
  std::pair<int, std::string> Script(const std::string& script,
                                     std::vector<std::string> arguments) {
    const std::string log = StrCat(folder(), "/script", ++scripts_, ".log");
    arguments.insert(arguments.begin(),
                     {"/bin/bash", StrCat(QUIRE_SOURCE_DIR, "/deploy/", script)});
    ChildProcess process(
        {.arguments = arguments,
         .environment = {{"QUIRE_BIN", QUIRE_BIN_DIR}, {"QUIRE_ROUTER", router_address()}},
         .output_path = log});
    const int exit_code = process.WaitForExit().value_or(-1);
    return {exit_code, ReadWholeFile(log)};
  }
  std::string Restore(const std::string& name, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {folder() + "/backups/monday", folder() + "/" + name});
    const auto [exit_code, output] = Script("restore.sh", std::move(options));
    EXPECT_EQ(exit_code, 0) << output;
    return output;
  }

  // Serves a restored directory in the place of volume 1 and gives how many of the records 1, 2, …
  // it has; it must have no others. quire-inspect finds no fault in it.
  int Count(const std::string& name) {
    const CommandResult check = Run("quire-inspect", {folder() + "/" + name, "check"});
    EXPECT_EQ(check.exit_code, 0) << check.output;
    file_.reset();
    filesystem_.reset();
    volume(1).Kill();
    fs::remove_all(volume_directory(1));
    fs::copy(folder() + "/" + name, volume_directory(1), fs::copy_options::recursive);
    StartVolume(1, {"--capacity", "1GiB"});
    if (HasFatalFailure()) return -1;
    const auto filesystem = ConnectToVolumes();
    if (filesystem == nullptr) return -1;
    auto file = filesystem->Open(kFile);
    EXPECT_TRUE(file.ok()) << Describe(file.status());
    if (!file.ok()) return -1;
    const auto scan = (*file)->Scan({});
    int count = 0;
    absl::StatusOr<std::string_view> record = scan->Next();
    for (; record.ok(); record = scan->Next()) {
      EXPECT_EQ(*record, Record(++count)) << "not the next of the history";
    }
    EXPECT_EQ(NumberOf(record.status()), ErrorNumber::kEndOfFile) << Describe(record.status());
    return count;
  }

  // The number behind `word` in a report line.
  static uint64_t NumberBehind(const std::string& text, const std::string& word) {
    std::smatch found;
    const std::regex pattern(word + " ([0-9]+)");
    return std::regex_search(text, found, pattern) ? std::stoull(found[1]) : 0;
  }
  static std::string TimeIn(const std::string& text) {
    std::smatch found;
    const std::regex pattern("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}\\.[0-9]{6}");
    return std::regex_search(text, found, pattern) ? found[0].str() : "";
  }

  const std::vector<std::string> options_ = {"--backup-directory", folder() + "/backups",
                                             "--trail-archive",    folder() + "/archive",
                                             "--trail-segment",    "64KiB",
                                             "--trail-limit",      "256KiB",
                                             "--capacity",         "1GiB"};
  std::unique_ptr<FileSystem> filesystem_;
  std::unique_ptr<File> file_;
  std::atomic<int> acknowledged_ = 0;
  int scripts_ = 0;
};

TEST_P(BackupClusterTest, UnderLoadEverythingAcknowledgedBeforeIsInIt) {
  ASSERT_NO_FATAL_FAILURE(Start());
  std::atomic<bool> enough = false;
  std::thread writer([&] {
    for (int number = 1; !enough; ++number) {
      if (!file_->Write(Record(number)).ok()) return;
      acknowledged_ = number;
    }
  });
  EXPECT_TRUE(WaitUntil([&] { return acknowledged_ > 300; }));
  const int before = acknowledged_;
  const auto [exit_code, output] = Script("backup.sh", {"$DATA01", "monday"});
  const int after = acknowledged_;
  enough = true;
  writer.join();
  ASSERT_EQ(exit_code, 0) << output;
  EXPECT_THAT(output, HasSubstr("$DATA01 BACKED UP TO monday"));
  const std::string report = Restore("new");
  EXPECT_THAT(report, HasSubstr("quire-volume restored $DATA01"));
  EXPECT_EQ(NumberBehind(report, "to LSN"), NumberBehind(output, "LSN"));
  const int count = Count("new");
  EXPECT_GE(count, before);
  EXPECT_LE(count, after + 1);
}

TEST_P(BackupClusterTest, TheOriginalGoneArchiveAndStopDecideHowFarItGoes) {
  ASSERT_NO_FATAL_FAILURE(Start());
  ASSERT_NO_FATAL_FAILURE(Write(1, 100));
  const auto [exit_code, output] = Script("backup.sh", {"$DATA01", "monday"});
  ASSERT_EQ(exit_code, 0) << output;
  const uint64_t backed_up = NumberBehind(output, "LSN");
  ASSERT_NO_FATAL_FAILURE(Write(101, 1500));
  volume(1).Kill();
  fs::remove_all(volume_directory(1));
  const std::vector<std::string> archive = {"--trail-archive", folder() + "/archive"};
  const auto with_archive = [&](std::vector<std::string> more) {
    more.insert(more.begin(), archive.begin(), archive.end());
    return more;
  };
  const std::string whole = Restore("whole", with_archive({}));
  const uint64_t last = NumberBehind(whole, "to LSN");
  EXPECT_GT(last, backed_up) << whole;
  const std::string middle =
      Restore("middle", with_archive({"--until-lsn", StrCat(backed_up + (last - backed_up) / 2)}));
  EXPECT_LE(NumberBehind(middle, "to LSN"), backed_up + (last - backed_up) / 2);
  const std::string timed = Restore("timed", with_archive({"--until-time", TimeIn(middle)}));
  EXPECT_EQ(TimeIn(timed), TimeIn(middle));
  const int of_middle = Count("middle");
  const int of_timed = Count("timed");
  const int of_whole = Count("whole");
  EXPECT_GE(of_middle, 100);
  EXPECT_GE(of_timed, of_middle);
  EXPECT_LE(of_timed, of_whole);
  EXPECT_GT(of_whole, of_middle);
  EXPECT_LE(of_whole, 1500);
  const auto refused = Script("restore.sh", {folder() + "/backups/monday", folder() + "/beyond",
                                             "--until-lsn", StrCat(last + 1)});
  EXPECT_EQ(refused.first, 3);
  EXPECT_THAT(refused.second, HasSubstr("beyond the end of backup and archives"));
}

TEST_P(BackupClusterTest, ScriptsSayHowTheyAreUsed) {
  ASSERT_NO_FATAL_FAILURE(Start());
  EXPECT_EQ(Script("backup.sh", {}).first, 2);
  EXPECT_EQ(Script("restore.sh", {"one"}).first, 2);
  EXPECT_THAT(Script("backup.sh", {"--help"}).second, HasSubstr("deploy/backup.sh '$VOLUME'"));
  EXPECT_THAT(Script("restore.sh", {"--help"}).second, HasSubstr("--until-lsn N"));
  EXPECT_THAT(Script("backup.sh", {"DATA01"}).second, HasSubstr("quote it"));
  const auto outside = Script("backup.sh", {"$DATA01", "../elsewhere"});
  EXPECT_NE(outside.first, 0);
  EXPECT_THAT(outside.second, HasSubstr("ERR 13"));
  EXPECT_EQ(Script("restore.sh", {folder(), folder() + "/new"}).first, 2);
}

class RestoreOptionsTest : public ClusterTest {};

TEST_F(RestoreOptionsTest, WrongOnesAreRefusedWithTheReason) {
  const std::string folder = this->folder();
  const auto restore = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--restore", folder + "/none"});
    return Run("quire-volume", more);
  };
  const struct {
    std::vector<std::string> options;
    int exit_code;
    const char* says;
  } kCases[] = {
      {{}, 2, "option --directory: is missing"},
      {{"--directory", folder + "/new", "--until-lsn", "1", "--until-time", "2026-11-30 19:45:00"},
       2,
       "--until-lsn and --until-time exclude each other"},
      {{"--directory", folder + "/new", "--until-time", "yesterday"}, 2, "\"yesterday\" is not"},
      {{"--directory", folder + "/new", "--until-lsn", "-1"}, 2, "until-lsn"},
      {{"--directory", folder + "/new", "--name", "DATA01"}, 2, "option --name"},
      {{"--directory", folder + "/new"}, 3, "none is not a whole backup"},
      {{"--directory", folder}, 3, "exists and is not empty"},
  };
  for (const auto& one : kCases) {
    const CommandResult refused = restore(one.options);
    EXPECT_EQ(refused.exit_code, one.exit_code) << refused.output;
    EXPECT_THAT(refused.output, HasSubstr(one.says));
    EXPECT_FALSE(fs::exists(folder + "/new"));
  }
  const CommandResult serve = Run("quire-volume", {"--name", "$DATA01", "--directory",
                                                   folder + "/new", "--trail-archive", "a,b"});
  EXPECT_EQ(serve.exit_code, 2) << serve.output;
  EXPECT_THAT(serve.output, HasSubstr("several are for --restore"));
}

INSTANTIATE_TEST_SUITE_P(Modes, BackupClusterTest, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& audit) {
                           return audit.param ? "Audit" : "WriteThrough";
                         });

}  // namespace
}  // namespace quire
