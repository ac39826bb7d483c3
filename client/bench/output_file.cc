#include "client/bench/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "client/bench/errors.h"
#include "quire/text.h"

namespace quire {
namespace bench {

absl::StatusOr<OutputFile> OutputFile::Create(const std::string& path) {
  struct stat status = {};
  const bool special = stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
  const std::string written_path = special ? path : StrCat(path, ".partial");
  const int descriptor =
      open(written_path.c_str(), O_WRONLY | O_CREAT | (special ? 0 : O_TRUNC) | O_CLOEXEC, 0644);
  if (descriptor < 0) return CannotOpen(path, errno);
  return OutputFile(path, written_path, descriptor);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      written_path_(std::move(other.written_path_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

OutputFile::~OutputFile() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  if (written_path_ != path_) unlink(written_path_.c_str());
}

absl::Status OutputFile::Write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(descriptor_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return CannotWrite(path_, errno);
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return absl::OkStatus();
}

absl::Status OutputFile::Commit() {
  if (close(std::exchange(descriptor_, -1)) != 0) return CannotWrite(path_, errno);
  if (written_path_ != path_ && std::rename(written_path_.c_str(), path_.c_str()) != 0) {
    return CannotWrite(path_, errno);
  }
  return absl::OkStatus();
}

absl::Status WriteFile(const std::string& path, std::string_view bytes) {
  absl::StatusOr<OutputFile> file = OutputFile::Create(path);
  if (!file.ok()) return file.status();
  if (absl::Status written = file->Write(bytes); !written.ok()) return written;
  return file->Commit();
}

absl::Status SaveText(const std::string& path, std::string_view text) {
  if (path.empty()) return absl::OkStatus();
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) return CannotOpen(folder.string(), failed.value());
  return WriteFile(path, text);
}

}  // namespace bench
}  // namespace quire
