// A FileSystem in memory for the tests of loader, read-back and runner. Not thread safe, except
// that completions may come from a thread of its own when told so.
#ifndef QUIRE_TESTS_UNIT_BENCH_FAKE_FILE_SYSTEM_H_
#define QUIRE_TESTS_UNIT_BENCH_FAKE_FILE_SYSTEM_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quire/filesystem.h"

namespace quire {
namespace bench {

// Records by key, with the file's attributes.
struct FakeContents {
  FileAttributes attributes;
  std::map<std::string, std::string, std::less<>> records;
};

// What a FakeFile was asked to do, and how it shall misbehave.
struct FakeBehaviour {
  std::optional<uint64_t> fail_write;   // number of the write, from 1, that is refused with 43
  std::optional<uint64_t> spoil_write;  // stored with a changed last byte
  uint64_t writes = 0;
  uint64_t most_under_way = 0;
  uint64_t flushes = 0;
  std::vector<std::string> calls;  // "create", "open", "refresh $DATA01", "close", "snapshot …"
};

class FakeFileSystem : public FileSystem {
 public:
  FakeBehaviour behaviour;
  std::map<FileName, FakeContents> files;

  absl::StatusOr<FileInfo> Create(const FileName& name, const FileAttributes& attributes) override;
  absl::StatusOr<FileDescription> Info(const FileName& name) override;
  absl::Status Alter(const FileName& name, const Changes& changes) override;
  absl::Status Purge(const FileName& name) override;
  absl::StatusOr<std::vector<FileInfo>> List(const FileName& fileset, bool pending) override;
  absl::StatusOr<std::vector<std::string>> Volumes() override;
  absl::StatusOr<RefreshAnswer> Refresh(const std::string& volume) override;
  absl::StatusOr<std::vector<OpenInfo>> ListOpens(const FileName&) override {
    return std::vector<OpenInfo>();  // everything here is one program's
  }
  absl::StatusOr<std::vector<LockInfo>> ListLocks(const FileName&, bool) override {
    return std::vector<LockInfo>();
  }
  absl::StatusOr<std::vector<PartitionCheck>> Check(const FileName&) override {
    return std::vector<PartitionCheck>();
  }
  absl::StatusOr<BackupAnswer> Backup(const std::string&, const std::string&) override {
    return BackupAnswer();
  }
  // One DISCOPEN record per open, one DISC, one PROCESS; figures follow the writes made.
  absl::StatusOr<MeasureSnapshot> Snapshot(const std::string& volume) override;
  absl::StatusOr<std::unique_ptr<File>> Open(const FileName& name,
                                             const FileOpenOptions& options) override;

 private:
  FileDescription Describe(const FileName& name, const FakeContents& contents) const;

  uint64_t last_open_id_ = 100;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_BENCH_FAKE_FILE_SYSTEM_H_
