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

}  // namespace

absl::StatusOr<std::unique_ptr<DirectoryLock>> DirectoryLock::Take(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return volume_error::DirectoryRefused(directory, error.message());
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
