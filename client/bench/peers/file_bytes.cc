#include "client/bench/peers/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "client/bench/errors.h"

namespace quire {
namespace bench {

namespace fs = std::filesystem;

uint64_t FileBytes(const std::string& directory, std::string_view ending) {
  constexpr uint64_t kStatBlockBytes = 512;
  uint64_t total = 0;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(directory, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.size() < ending.size() ||
        std::string_view(name).substr(name.size() - ending.size()) != ending) {
      continue;
    }
    struct stat status = {};
    if (lstat(at->path().c_str(), &status) == 0) {
      total += static_cast<uint64_t>(status.st_blocks) * kStatBlockBytes;
    }
  }
  return total;
}

absl::Status SyncFiles(const std::string& directory, std::string_view extension) {
  std::error_code failed;
  for (fs::directory_iterator at(directory, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string path = at->path().string();
    if (at->path().extension() != fs::path(extension)) continue;
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT) continue;  // not needed any more
    if (descriptor < 0) return CannotOpen(path, errno);
    const int cause = fdatasync(descriptor) == 0 ? 0 : errno;
    close(descriptor);
    if (cause != 0) return CannotWrite(path, cause);
  }
  return failed ? CannotOpen(directory, failed.value()) : absl::OkStatus();
}

}  // namespace bench
}  // namespace quire
