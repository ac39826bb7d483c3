#include "client/bench/bare_append.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>
#include <vector>

#include "client/bench/errors.h"

namespace quire {
namespace bench {
namespace {

constexpr uint32_t kBlockBytes = 4096;
constexpr uint32_t kFileBytes = 16 << 20;
constexpr uint32_t kMaxAppendBytes = 1 << 20;

struct Freed {
  void operator()(char* memory) const { std::free(memory); }
};
using AlignedBytes = std::unique_ptr<char, Freed>;

class FileAppend : public BareAppend {
 public:
  FileAppend(std::string path, AppendWay way, uint32_t bytes, AlignedBytes buffer)
      : path_(std::move(path)), way_(way), bytes_(bytes), buffer_(std::move(buffer)) {
    std::fill_n(buffer_.get(), bytes_, 'x');
  }
  ~FileAppend() override {
    if (descriptor_ >= 0) close(descriptor_);
  }

  absl::Status Open() {
    if (absl::Status made = MakeFile(); !made.ok()) return made;
    const int flags = way_ == AppendWay::kDirect ? O_DIRECT | O_DSYNC : 0;
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC | flags);
    return descriptor_ >= 0 ? absl::OkStatus() : CannotOpen(path_, errno);
  }

  absl::Status Append() override {
    if (offset_ + bytes_ > kFileBytes) offset_ = 0;
    const ssize_t written = pwrite(descriptor_, buffer_.get(), bytes_, offset_);
    if (written != static_cast<ssize_t>(bytes_)) {
      return CannotWrite(path_, written < 0 ? errno : EIO);
    }
    if (way_ == AppendWay::kFdatasync && fdatasync(descriptor_) != 0) {
      return CannotWrite(path_, errno);
    }
    offset_ += bytes_;
    return absl::OkStatus();
  }

 private:
  absl::Status MakeFile() const {
    const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
    if (file < 0) return CannotOpen(path_, errno);
    const std::vector<char> zeros(kFileBytes);
    int error_number = 0;
    if (write(file, zeros.data(), zeros.size()) != static_cast<ssize_t>(zeros.size())) {
      error_number = errno != 0 ? errno : ENOSPC;
    } else if (fsync(file) != 0) {
      error_number = errno;
    }
    close(file);
    return error_number == 0 ? absl::OkStatus() : CannotWrite(path_, error_number);
  }

  const std::string path_;
  const AppendWay way_;
  const uint32_t bytes_;
  const AlignedBytes buffer_;
  int descriptor_ = -1;
  off_t offset_ = 0;
};

}  // namespace

absl::StatusOr<std::unique_ptr<BareAppend>> BareAppend::Make(const std::string& path, AppendWay way,
                                                             uint32_t bytes) {
  if (bytes == 0 || bytes % kBlockBytes != 0 || bytes > kMaxAppendBytes) {
    return BadOption("append", "must be a multiple of 4,096 bytes, at most 1 MiB");
  }
  AlignedBytes buffer(static_cast<char*>(std::aligned_alloc(kBlockBytes, bytes)));
  if (buffer == nullptr) return CannotOpen(path, ENOMEM);
  auto append = std::make_unique<FileAppend>(path, way, bytes, std::move(buffer));
  if (absl::Status opened = append->Open(); !opened.ok()) return opened;
  return append;
}

}  // namespace bench
}  // namespace quire
