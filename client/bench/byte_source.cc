#include "client/bench/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "client/bench/errors.h"

namespace quire {
namespace bench {
namespace {

class FileBytes : public ByteSource {
 public:
  FileBytes(std::string path, int descriptor, size_t size)
      : path_(std::move(path)), descriptor_(descriptor), size_(size) {}
  ~FileBytes() override { close(descriptor_); }

  absl::StatusOr<size_t> Read(char* buffer, size_t room) override {
    ssize_t got;
    do {
      got = read(descriptor_, buffer, room);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return CannotRead(path_, errno);
    position_ += static_cast<size_t>(got);
    return static_cast<size_t>(got);
  }
  size_t position() const override { return position_; }
  size_t size() const override { return size_; }

 private:
  const std::string path_;
  const int descriptor_;
  const size_t size_;
  size_t position_ = 0;
};

class ViewBytes : public ByteSource {
 public:
  explicit ViewBytes(std::string_view bytes) : bytes_(bytes) {}

  absl::StatusOr<size_t> Read(char* buffer, size_t room) override {
    const size_t count = std::min(room, bytes_.size() - position_);
    std::memcpy(buffer, bytes_.data() + position_, count);
    position_ += count;
    return count;
  }
  size_t position() const override { return position_; }
  size_t size() const override { return bytes_.size(); }

 private:
  const std::string_view bytes_;
  size_t position_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ByteSource>> OpenFileBytes(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return CannotOpen(path, errno);
  struct stat status = {};
  if (fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
    const int cause = S_ISDIR(status.st_mode) ? EISDIR : errno;
    close(descriptor);
    return CannotOpen(path, cause);
  }
  return std::make_unique<FileBytes>(path, descriptor, static_cast<size_t>(status.st_size));
}

std::unique_ptr<ByteSource> MemoryBytes(std::string_view bytes) {
  return std::make_unique<ViewBytes>(bytes);
}

}  // namespace bench
}  // namespace quire
