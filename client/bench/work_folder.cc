#include "client/bench/work_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "client/bench/errors.h"

namespace quire {
namespace bench {

namespace fs = std::filesystem;

absl::StatusOr<WorkFolder> WorkFolder::Make(const std::string& parent, bool keep) {
  std::error_code failed;
  const fs::path base = parent.empty() ? fs::temp_directory_path(failed) : fs::path(parent);
  if (!failed) fs::create_directories(base, failed);
  if (failed) return CannotOpen(base.string(), failed.value());
  std::string path = (base / "quire-bench-XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) return CannotOpen(path, errno);
  return WorkFolder(std::move(path), keep);
}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : path_(std::exchange(other.path_, std::string())), keep_(other.keep_) {}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty() && !keep_) fs::remove_all(path_, ignored);
}

}  // namespace bench
}  // namespace quire
