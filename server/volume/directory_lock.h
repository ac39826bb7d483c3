// One server per volume directory: an exclusive lock on the file "lock" in it, which names its
// owner. The kernel drops the lock with the process, so a crash leaves nothing to clean up.
#ifndef QUIRE_SERVER_VOLUME_DIRECTORY_LOCK_H_
#define QUIRE_SERVER_VOLUME_DIRECTORY_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace quire {

class DirectoryLock {
 public:
  // Makes the directory when missing. 12, with the owner's pid, when it is taken; 66 when the file
  // system refuses. Works between processes and within one.
  static absl::StatusOr<std::unique_ptr<DirectoryLock>> Take(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  explicit DirectoryLock(int file) : file_(file) {}
  int file_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_VOLUME_DIRECTORY_LOCK_H_
