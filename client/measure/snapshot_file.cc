#include "client/measure/snapshot_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "client/measure/errors.h"
#include "client/measure/snapshot_json.h"
#include "nlohmann/json.hpp"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  ~FileDescriptor() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return descriptor_; }

 private:
  const int descriptor_;
};

std::string Reason() {
  return std::strerror(errno);
}

bool WriteAll(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<size_t>(written));
  }
  return fsync(descriptor) == 0;
}

bool ReadAll(int descriptor, std::string* text) {
  char buffer[1 << 16];
  while (true) {
    const ssize_t got = read(descriptor, buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return got == 0;
    text->append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

absl::Status WriteSnapshotFile(const MeasureSnapshot& snapshot, const std::string& path) {
  const std::string draft = StrCat(path, ".new");
  {
    const FileDescriptor file(open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (file.get() < 0) return measure_errors::CannotWriteFile(path, Reason());
    if (!WriteAll(file.get(), SnapshotText(snapshot))) {
      const std::string reason = Reason();
      unlink(draft.c_str());
      return measure_errors::CannotWriteFile(path, reason);
    }
  }
  if (std::rename(draft.c_str(), path.c_str()) != 0) {
    const std::string reason = Reason();
    unlink(draft.c_str());
    return measure_errors::CannotWriteFile(path, reason);
  }
  return absl::OkStatus();
}

absl::StatusOr<MeasureSnapshot> ReadSnapshotFile(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return measure_errors::CannotReadFile(path, Reason());
  struct stat status = {};
  if (fstat(file.get(), &status) != 0) return measure_errors::CannotReadFile(path, Reason());
  if (!S_ISREG(status.st_mode)) return measure_errors::CannotReadFile(path, "it is not a file");
  if (status.st_size > kLongestSnapshotBytes) {
    return measure_errors::NotASnapshot(path, "it is longer than any snapshot");
  }
  std::string text;
  if (!ReadAll(file.get(), &text)) return measure_errors::CannotReadFile(path, Reason());
  return ParseSnapshotText(text, path);
}

std::string SnapshotText(const MeasureSnapshot& snapshot) {
  // Text that is not UTF-8 gets replacement characters: a file that can be read again matters more.
  return StrCat(SnapshotToJson(snapshot).dump(1, ' ', false,
                                              nlohmann::ordered_json::error_handler_t::replace),
                "\n");
}

absl::StatusOr<MeasureSnapshot> ParseSnapshotText(std::string_view text, std::string_view path) {
  const auto json = nlohmann::ordered_json::parse(text.begin(), text.end(), /*cb=*/nullptr,
                                                  /*allow_exceptions=*/false);
  if (json.is_discarded()) return measure_errors::NotASnapshot(path, "it is not JSON");
  return SnapshotFromJson(json, path);
}

}  // namespace measure
}  // namespace quire
