// Segments as files. A segment is made under a temporary name "<16 hex digits>.new", written with
// zeros, synced, renamed, and the directory synced: whatever has its final name is whole, and no
// sync while appending has to write block allocation or file size.
#include "server/trail/file_device.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "quire/error.h"
#include "quire/mutex.h"
#include "quire/text.h"
#include "server/base/huge_memory.h"
#include "server/trail/errors.h"

namespace quire {
namespace {

constexpr std::string_view kSegmentSuffix = ".trail";
constexpr std::string_view kUnfinishedSuffix = ".new";
constexpr size_t kNumberDigits = 16;
constexpr uint64_t kZeroStepBytes = uint64_t{1} << 20;

// An open file, closed in the destructor.
class FileHandle {
 public:
  explicit FileHandle(int descriptor = -1) : descriptor_(descriptor) {}
  FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileHandle() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

FileHandle OpenFile(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = open(path.c_str(), flags | O_CLOEXEC, 0640);
  } while (descriptor < 0 && errno == EINTR);
  return FileHandle(descriptor);
}

std::string SegmentName(uint64_t segment, std::string_view suffix) {
  char digits[kNumberDigits + 1];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(segment));
  return StrCat(std::string_view(digits), suffix);
}

// The number in "<16 hex digits><suffix>", nothing for any other name.
std::optional<uint64_t> SegmentOf(std::string_view name, std::string_view suffix) {
  if (name.size() != kNumberDigits + suffix.size() || !name.ends_with(suffix)) return std::nullopt;
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + kNumberDigits, number, 16);
  if (error != std::errc() || end != name.data() + kNumberDigits) return std::nullopt;
  // Upper-case digits are another file's name, not another spelling of this one's.
  if (SegmentName(number, suffix) != name) return std::nullopt;
  return number;
}

// 0, or the errno of the write that failed. A write may be cut short by a signal.
int WriteAll(int descriptor, const char* from, uint64_t bytes, uint64_t offset) {
  while (bytes > 0) {
    const ssize_t written = pwrite(descriptor, from, bytes, static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (written == 0) return EIO;
    from += written;
    offset += static_cast<uint64_t>(written);
    bytes -= static_cast<uint64_t>(written);
  }
  return 0;
}

bool IsWantOfSpace(int error_number) {
  return error_number == ENOSPC || error_number == EDQUOT;
}

// 0 or errno. Asking first keeps a segment that cannot fit from eating up the last room of a shared
// disc before it is refused; allocating next makes it sure. Not every file system can allocate: the
// zeros decide then.
int FillWithZeros(int descriptor, uint64_t bytes) {
  struct statvfs space = {};
  if (fstatvfs(descriptor, &space) == 0 && space.f_bavail < bytes / space.f_frsize) return ENOSPC;
  int result = 0;
  do {
    result = fallocate(descriptor, 0, 0, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
  } while (result == EINTR);
  if (result != 0 && result != EOPNOTSUPP) return result;
  const HugeMemory zeros(std::min(bytes, kZeroStepBytes));
  if (zeros.data() == nullptr) return ENOMEM;
  for (uint64_t offset = 0; offset < bytes; offset += kZeroStepBytes) {
    const uint64_t step = std::min(kZeroStepBytes, bytes - offset);
    if (const int error_number = WriteAll(descriptor, zeros.data(), step, offset)) {
      return error_number;
    }
  }
  if (fsync(descriptor) == 0) return 0;
  // A sync that failed is never tried again, for want of space neither (R-D8).
  return IsWantOfSpace(errno) ? EIO : errno;
}

class FileDevice : public TrailDevice {
 public:
  FileDevice(std::string directory, FileHandle directory_handle, TrailSync sync)
      : directory_(std::move(directory)),
        directory_handle_(std::move(directory_handle)),
        sync_(sync) {}

  absl::StatusOr<std::vector<uint64_t>> List() override;
  absl::Status Create(uint64_t segment, uint64_t bytes) override;
  absl::Status Rename(uint64_t from, uint64_t to) override;
  absl::Status Remove(uint64_t segment) override;
  absl::StatusOr<uint64_t> Size(uint64_t segment) override;
  absl::Status Read(uint64_t segment, uint64_t offset, absl::Span<char> to) override;
  absl::Status WriteDurably(uint64_t segment, uint64_t offset,
                            absl::Span<const char> from) override;
  absl::Status Sync(uint64_t segment) override;

  // 22 when the file system cannot do what `sync_` asks for.
  absl::Status ProveWritable();

 private:
  std::string PathOf(uint64_t segment) const { return Path(SegmentName(segment, kSegmentSuffix)); }
  std::string Path(std::string_view name) const { return StrCat(directory_, "/", name); }
  int WriteFlags() const {
    return sync_ == TrailSync::kDirect ? O_WRONLY | O_DIRECT | O_DSYNC : O_WRONLY;
  }
  absl::Status SyncDirectory();
  absl::StatusOr<int> Writer(uint64_t segment);
  void CloseWriter(uint64_t segment);

  const std::string directory_;
  const FileHandle directory_handle_;
  const TrailSync sync_;
  Mutex mutex_;
  // Files being appended to. Closed when the segment is renamed or removed.
  absl::flat_hash_map<uint64_t, FileHandle> writers_ ABSL_GUARDED_BY(mutex_);
};

absl::Status FileDevice::SyncDirectory() {
  if (fsync(directory_handle_.get()) == 0) return absl::OkStatus();
  return trail_error::DiscFailed("sync", directory_, errno);
}

absl::StatusOr<std::vector<uint64_t>> FileDevice::List() {
  DIR* stream = opendir(directory_.c_str());
  if (stream == nullptr) return trail_error::DiscFailed("listing", directory_, errno);
  std::vector<uint64_t> segments;
  std::vector<std::string> unfinished;
  errno = 0;
  while (const dirent* entry = readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (const auto segment = SegmentOf(name, kSegmentSuffix)) segments.push_back(*segment);
    if (SegmentOf(name, kUnfinishedSuffix)) unfinished.emplace_back(name);
  }
  const int error_number = errno;
  closedir(stream);
  if (error_number != 0) return trail_error::DiscFailed("listing", directory_, error_number);
  for (const std::string& name : unfinished) {
    const std::string path = Path(name);
    if (unlink(path.c_str()) != 0) return trail_error::DiscFailed("removal", path, errno);
  }
  std::sort(segments.begin(), segments.end());
  return segments;
}

absl::Status FileDevice::Create(uint64_t segment, uint64_t bytes) {
  const std::string unfinished = Path(SegmentName(segment, kUnfinishedSuffix));
  int error_number = 0;
  {
    // Direct: 64 MiB of fresh pages in the page cache would cost the load beside it more than the
    // disc does. Otherwise the pages serve the writes to come.
    const int direct = sync_ == TrailSync::kDirect ? O_DIRECT : 0;
    const FileHandle file = OpenFile(unfinished, O_WRONLY | O_CREAT | O_TRUNC | direct);
    error_number = file.is_open() ? FillWithZeros(file.get(), bytes) : errno;
  }
  if (error_number != 0) {
    unlink(unfinished.c_str());  // if this fails too, the next List removes it
    if (IsWantOfSpace(error_number)) return trail_error::NoSpaceForSegment(segment, bytes);
    return trail_error::DiscFailed("creation", unfinished, error_number);
  }
  const std::string path = PathOf(segment);
  if (rename(unfinished.c_str(), path.c_str()) != 0) {
    const int rename_error = errno;
    unlink(unfinished.c_str());
    if (IsWantOfSpace(rename_error)) return trail_error::NoSpaceForSegment(segment, bytes);
    return trail_error::DiscFailed("creation", path, rename_error);
  }
  return SyncDirectory();
}

absl::Status FileDevice::Rename(uint64_t from, uint64_t to) {
  CloseWriter(from);
  const std::string from_path = PathOf(from);
  const std::string to_path = PathOf(to);
  if (access(to_path.c_str(), F_OK) == 0) {
    return trail_error::DiscFailed("renaming to", to_path, EEXIST);
  }
  if (rename(from_path.c_str(), to_path.c_str()) != 0) {
    return trail_error::DiscFailed("renaming", from_path, errno);
  }
  return SyncDirectory();
}

absl::Status FileDevice::Remove(uint64_t segment) {
  CloseWriter(segment);
  const std::string path = PathOf(segment);
  if (unlink(path.c_str()) != 0) return trail_error::DiscFailed("removal", path, errno);
  return SyncDirectory();
}

absl::StatusOr<uint64_t> FileDevice::Size(uint64_t segment) {
  const std::string path = PathOf(segment);
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return trail_error::DiscFailed("reading", path, errno);
  return static_cast<uint64_t>(status.st_size);
}

absl::Status FileDevice::Read(uint64_t segment, uint64_t offset, absl::Span<char> to) {
  const std::string path = PathOf(segment);
  const FileHandle file = OpenFile(path, O_RDONLY);
  if (!file.is_open()) return trail_error::DiscFailed("reading", path, errno);
  while (!to.empty()) {
    const ssize_t got = pread(file.get(), to.data(), to.size(), static_cast<off_t>(offset));
    if (got < 0) {
      if (errno == EINTR) continue;
      return trail_error::DiscFailed("reading", path, errno);
    }
    if (got == 0) return trail_error::OutsideSegment(segment, offset, to.size());
    to.remove_prefix(static_cast<size_t>(got));
    offset += static_cast<uint64_t>(got);
  }
  return absl::OkStatus();
}

absl::StatusOr<int> FileDevice::Writer(uint64_t segment) {
  const MutexLock lock(&mutex_);
  const auto known = writers_.find(segment);
  if (known != writers_.end()) return known->second.get();
  const std::string path = PathOf(segment);
  FileHandle file = OpenFile(path, WriteFlags());
  if (!file.is_open()) return trail_error::DiscFailed("opening", path, errno);
  const int descriptor = file.get();
  writers_.emplace(segment, std::move(file));
  return descriptor;
}

void FileDevice::CloseWriter(uint64_t segment) {
  const MutexLock lock(&mutex_);
  writers_.erase(segment);
}

absl::Status FileDevice::WriteDurably(uint64_t segment, uint64_t offset,
                                      absl::Span<const char> from) {
  const absl::StatusOr<int> writer = Writer(segment);
  if (!writer.ok()) return writer.status();
  if (const int error_number = WriteAll(*writer, from.data(), from.size(), offset)) {
    return trail_error::DiscFailed("write", PathOf(segment), error_number);
  }
  if (sync_ == TrailSync::kFdatasync && fdatasync(*writer) != 0) {
    return trail_error::DiscFailed("sync", PathOf(segment), errno);
  }
  return absl::OkStatus();
}

absl::Status FileDevice::Sync(uint64_t segment) {
  const std::string path = PathOf(segment);
  const FileHandle file = OpenFile(path, O_WRONLY);
  if (!file.is_open()) return trail_error::DiscFailed("opening", path, errno);
  if (fdatasync(file.get()) != 0) return trail_error::DiscFailed("sync", path, errno);
  return absl::OkStatus();
}

absl::Status FileDevice::ProveWritable() {
  const std::string path = Path(SegmentName(0, kUnfinishedSuffix));
  int error_number = 0;
  {
    const FileHandle file = OpenFile(path, WriteFlags() | O_CREAT);
    const HugeMemory block(kTrailBlockBytes);
    if (!file.is_open()) {
      error_number = errno;
    } else if (sync_ == TrailSync::kDirect && block.data() != nullptr) {
      // Some file systems refuse only the write. Any other failure, such as want of space, shows
      // where it matters.
      if (WriteAll(file.get(), block.data(), kTrailBlockBytes, 0) == EINVAL) error_number = EINVAL;
    }
  }
  unlink(path.c_str());
  if (error_number == 0) return absl::OkStatus();
  if (error_number == EINVAL) return trail_error::NoDirectWrites(directory_);
  return trail_error::DiscFailed("writing in", directory_, error_number);
}

// Durable: a segment in a directory that a power cut removes would be lost with it.
absl::Status MakeDirectory(const std::string& directory) {
  if (mkdir(directory.c_str(), 0750) != 0) {
    if (errno == EEXIST) return absl::OkStatus();
    return trail_error::DiscFailed("creation", directory, errno);
  }
  const FileHandle parent = OpenFile(StrCat(directory, "/.."), O_RDONLY | O_DIRECTORY);
  if (parent.is_open() && fsync(parent.get()) == 0) return absl::OkStatus();
  return trail_error::DiscFailed("creation", directory, errno);
}

}  // namespace

absl::StatusOr<std::unique_ptr<TrailDevice>> OpenFileDevice(const std::string& directory,
                                                            TrailSync sync) {
  if (absl::Status status = MakeDirectory(directory); !status.ok()) return status;
  FileHandle handle = OpenFile(directory, O_RDONLY | O_DIRECTORY);
  if (!handle.is_open()) return trail_error::DiscFailed("opening", directory, errno);
  const TrailSync first = sync == TrailSync::kAuto ? TrailSync::kDirect : sync;
  auto device = std::make_unique<FileDevice>(directory, std::move(handle), first);
  const absl::Status status = device->ProveWritable();
  if (status.ok()) return device;
  if (sync == TrailSync::kAuto && NumberOf(status) == ErrorNumber::kBadParameter) {
    return OpenFileDevice(directory, TrailSync::kFdatasync);
  }
  return status;
}

std::string SegmentFileName(uint64_t segment) {
  return SegmentName(segment, kSegmentSuffix);
}

std::optional<uint64_t> SegmentOfFileName(std::string_view name) {
  return SegmentOf(name, kSegmentSuffix);
}

}  // namespace quire
