#include "tests/unit/fup/fup_fixture.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

#include "client/command/line_source.h"

namespace quire {
namespace {

// The session owns its file system; the test keeps the labels over sessions.
class SharedFileSystem : public FileSystem {
 public:
  explicit SharedFileSystem(std::shared_ptr<MemoryFileSystem> files) : files_(std::move(files)) {}

  absl::StatusOr<FileInfo> Create(const FileName& name, const FileAttributes& a) override {
    return files_->Create(name, a);
  }
  absl::StatusOr<FileDescription> Info(const FileName& name) override { return files_->Info(name); }
  absl::Status Alter(const FileName& name, const Changes& changes) override {
    return files_->Alter(name, changes);
  }
  absl::Status Purge(const FileName& name) override { return files_->Purge(name); }
  absl::StatusOr<std::vector<FileInfo>> List(const FileName& fileset, bool pending) override {
    return files_->List(fileset, pending);
  }
  absl::StatusOr<std::vector<std::string>> Volumes() override { return files_->Volumes(); }
  absl::StatusOr<RefreshAnswer> Refresh(const std::string& volume) override {
    return files_->Refresh(volume);
  }
  absl::StatusOr<BackupAnswer> Backup(const std::string& volume,
                                      const std::string& directory) override {
    return files_->Backup(volume, directory);
  }
  absl::StatusOr<MeasureSnapshot> Snapshot(const std::string& volume) override {
    return files_->Snapshot(volume);
  }
  absl::StatusOr<std::vector<OpenInfo>> ListOpens(const FileName& name) override {
    return files_->ListOpens(name);
  }
  absl::StatusOr<std::vector<LockInfo>> ListLocks(const FileName& name,
                                                  bool granted_only) override {
    return files_->ListLocks(name, granted_only);
  }
  absl::StatusOr<std::vector<PartitionCheck>> Check(const FileName& name) override {
    return files_->Check(name);
  }
  absl::StatusOr<std::unique_ptr<File>> Open(const FileName& name,
                                             const FileOpenOptions& options) override {
    return files_->Open(name, options);
  }

 private:
  const std::shared_ptr<MemoryFileSystem> files_;
};

}  // namespace

void FupFixture::StartSession(bool interactive, bool json) {
  FupOptions options;
  options.interactive = interactive;
  options.json = json;
  options.time_zone = absl::UTCTimeZone();
  options.now = [] { return absl::FromUnixMicros(kListingUs); };
  FupWorld world;
  world.connect = [this]() -> absl::StatusOr<std::unique_ptr<FileSystem>> {
    ++connects_;
    if (!connect_status_.ok()) return connect_status_;
    return std::make_unique<SharedFileSystem>(files_);
  };
  world.ask = [this](const std::string& prompt) -> std::optional<std::string> {
    asked_ += prompt;
    if (answers_.empty()) return std::nullopt;
    std::string answer = answers_.front();
    answers_.pop_front();
    return answer;
  };
  world.output = &output_;
  world.errors = json ? &errors_ : &output_;
  session_ = std::make_unique<FupSession>(std::move(options), std::move(world));
}

std::string FupFixture::Run(const std::string& lines) {
  output_.str("");
  std::istringstream input(lines);
  StreamLines source(input);
  ExecuteLines(*session_, source, Echo::kNone);
  return output_.str();
}

FileInfo ArticleFile() {
  FileInfo info;
  info.name = FileName{"", "$DATA01", "MEASURE", "OUTFILE"};
  info.attributes.format = 2;
  info.attributes.extents = {150000, 150000};
  info.attributes.record_bytes = 1676;
  info.attributes.block_bytes = 4096;
  info.attributes.key_length = 11;
  info.attributes.lock_length = 11;
  info.attributes.max_extents = 40;
  info.primary_volume = "$DATA01";
  info.owner_group = 10;
  info.owner_user = 1;
  info.security = "GOGO";
  constexpr int64_t kMinuteUs = 60000000;
  info.created_us = kListingUs - 46 * kMinuteUs;
  info.last_open_us = kListingUs - 43 * kMinuteUs;
  info.modified_us = kListingUs - 10 * kMinuteUs;
  info.eof_bytes = 278822912;
  info.record_count = 135065;
  info.extents_allocated = 1;
  info.index_levels = 3;
  info.label_bytes = 352;
  return info;
}

void ExpectGolden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(QUIRE_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("QUIRE_REWRITE_GOLDEN") != nullptr) {
    std::ofstream(path) << actual;
    return;
  }
  std::ifstream file(path);
  ASSERT_TRUE(file) << path << " is missing; QUIRE_REWRITE_GOLDEN=1 writes it";
  const std::string expected((std::istreambuf_iterator<char>(file)),
                             std::istreambuf_iterator<char>());
  EXPECT_EQ(actual, expected) << "QUIRE_REWRITE_GOLDEN=1 rewrites " << path;
}

}  // namespace quire
