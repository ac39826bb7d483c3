#include "server/volume/directory_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "quire/text.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

std::string ReadOwner(int file) {
  char text[32] = {};
  const ssize_t size = pread(file, text, sizeof(text) - 1, 0);
  return size > 0 ? std::string(text, static_cast<size_t>(size)) : "unknown";
}

// A new directory is there after a power cut only when its parent is synced.
void SyncParentOf(const std::string& directory) {
  const std::filesystem::path parent =
      std::filesystem::absolute(directory).lexically_normal().parent_path();
  const int file = open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  fsync(file);
  close(file);
}

}  // namespace

absl::StatusOr<std::unique_ptr<DirectoryLock>> DirectoryLock::Take(const std::string& directory) {
  std::error_code error;
  const bool made = std::filesystem::create_directories(directory, error);
  if (error) return volume_error::DirectoryRefused(directory, error.message());
  if (made) SyncParentOf(directory);
  const std::string path = directory + "/lock";
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return volume_error::DirectoryRefused(directory, std::strerror(errno));
  // flock belongs to the open file, so a second open in this very process is refused as well.
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    const std::string owner = ReadOwner(file);
    close(file);
    return volume_error::DirectoryInUse(directory, owner);
  }
  const std::string owner = StrCat(getpid());
  if (ftruncate(file, 0) != 0 ||
      pwrite(file, owner.data(), owner.size(), 0) != static_cast<ssize_t>(owner.size())) {
    const int failure = errno;
    close(file);
    return volume_error::DirectoryRefused(directory, std::strerror(failure));
  }
  return std::unique_ptr<DirectoryLock>(new DirectoryLock(file));
}

DirectoryLock::~DirectoryLock() {
  close(file_);
}

}  // namespace quire
