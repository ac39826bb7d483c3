#include "client/bench/peers/file_bytes.h"

#include <sys/stat.h>

#include <filesystem>
#include <system_error>

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

}  // namespace bench
}  // namespace quire
