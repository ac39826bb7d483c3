// A FileSystem of labels only, for tests of FUP: no volumes, no records.
#ifndef QUIRE_TESTS_UNIT_FUP_MEMORY_FILE_SYSTEM_H_
#define QUIRE_TESTS_UNIT_FUP_MEMORY_FILE_SYSTEM_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "quire/filesystem.h"

namespace quire {

class MemoryFileSystem : public FileSystem {
 public:
  absl::StatusOr<FileInfo> Create(const FileName& name, const FileAttributes& attributes) override;
  absl::StatusOr<FileDescription> Info(const FileName& name) override;
  absl::Status Alter(const FileName& name, const Changes& changes) override;
  absl::Status Purge(const FileName& name) override;
  absl::StatusOr<std::vector<FileInfo>> List(const FileName& fileset, bool pending) override;
  absl::StatusOr<std::vector<std::string>> Volumes() override;
  absl::StatusOr<RefreshAnswer> Refresh(const std::string& volume) override;
  absl::StatusOr<BackupAnswer> Backup(const std::string& volume,
                                      const std::string& directory) override;
  absl::StatusOr<MeasureSnapshot> Snapshot(const std::string& volume) override;
  absl::StatusOr<std::vector<OpenInfo>> ListOpens(const FileName& name) override;
  absl::StatusOr<std::vector<LockInfo>> ListLocks(const FileName& name, bool granted_only) override;
  absl::StatusOr<std::vector<PartitionCheck>> Check(const FileName& name) override;
  absl::StatusOr<std::unique_ptr<File>> Open(const FileName& name,
                                             const FileOpenOptions& options) override;

  // What the tests set up and look at.
  std::set<std::string> volumes = {"$DATA01", "$DATA02", "$DATA03"};
  std::set<std::string> down;                 // they answer 66
  std::map<FileName, FileInfo> labels;        // every partition, by its own name
  std::map<FileName, absl::Status> on_purge;  // what PURGE of a file answers
  std::vector<std::string> refreshed;
  std::map<FileName, std::vector<OpenInfo>> opens;
  std::map<FileName, std::vector<LockInfo>> locks;  // of all partitions, by the file's name
  std::map<FileName, PartitionCheck> checks;        // by partition; else: whole and empty

 private:
  absl::Status CheckVolume(const std::string& volume) const;
};

}  // namespace quire

#endif  // QUIRE_TESTS_UNIT_FUP_MEMORY_FILE_SYSTEM_H_
