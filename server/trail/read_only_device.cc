#include "server/trail/read_only_device.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <system_error>

#include "quire/text.h"
#include "server/trail/errors.h"
#include "server/trail/file_device.h"

namespace quire {
namespace {

class ReadOnlyDevice : public TrailDevice {
 public:
  explicit ReadOnlyDevice(std::string directory) : directory_(std::move(directory)) {}

  absl::StatusOr<std::vector<uint64_t>> List() override {
    std::error_code error;
    std::vector<uint64_t> segments;
    std::filesystem::directory_iterator entry(directory_, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
      if (const auto segment = SegmentOfFileName(entry->path().filename().string())) {
        segments.push_back(*segment);
      }
    }
    if (error) return trail_error::DiscFailed("listing", directory_, error.value());
    std::sort(segments.begin(), segments.end());
    return segments;
  }

  absl::StatusOr<uint64_t> Size(uint64_t segment) override {
    const std::string path = PathOf(segment);
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) return trail_error::DiscFailed("reading", path, errno);
    return static_cast<uint64_t>(status.st_size);
  }

  absl::Status Read(uint64_t segment, uint64_t offset, absl::Span<char> to) override {
    const std::string path = PathOf(segment);
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return trail_error::DiscFailed("reading", path, errno);
    absl::Status status;
    while (status.ok() && !to.empty()) {
      const ssize_t got = pread(file, to.data(), to.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) status = trail_error::DiscFailed("reading", path, errno);
      if (got == 0) status = trail_error::OutsideSegment(segment, offset, to.size());
      if (got <= 0) break;
      to.remove_prefix(static_cast<size_t>(got));
      offset += static_cast<uint64_t>(got);
    }
    close(file);
    return status;
  }

  absl::Status Create(uint64_t, uint64_t) override { return trail_error::ReadOnly(); }
  absl::Status Rename(uint64_t, uint64_t) override { return trail_error::ReadOnly(); }
  absl::Status Remove(uint64_t) override { return trail_error::ReadOnly(); }
  absl::Status WriteDurably(uint64_t, uint64_t, absl::Span<const char>) override {
    return trail_error::ReadOnly();
  }
  absl::Status Sync(uint64_t) override { return absl::OkStatus(); }

 private:
  std::string PathOf(uint64_t segment) const {
    return StrCat(directory_, "/", SegmentFileName(segment));
  }
  const std::string directory_;
};

}  // namespace

std::unique_ptr<TrailDevice> OpenReadOnlyDevice(const std::string& directory) {
  return std::make_unique<ReadOnlyDevice>(directory);
}

}  // namespace quire
