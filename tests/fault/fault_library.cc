// Loaded into a server before the C library (LD_PRELOAD): the calls that reach the disc do what
// they always do, except for those that FaultControl chooses.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/fault/fault_control.h"

namespace quire::test {
namespace {

constexpr int kNoDescriptor = -1;
// Open files that were told of a lost sync; more than a volume ever has on one file.
constexpr size_t kMostTold = 16;

// The C library's own definition of `name`.
template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

FaultControl* MapControl() {
  const char* const path = std::getenv(kFaultControlVariable);
  if (path == nullptr) return nullptr;
  const int descriptor = Next<int(const char*, int, ...)>("open")(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  void* const page = Next<void*(void*, size_t, int, int, int, off_t)>("mmap")(
      nullptr, sizeof(FaultControl), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  return page == MAP_FAILED ? nullptr : static_cast<FaultControl*>(page);
}

// Null when the server was started without one.
FaultControl* Control() {
  static FaultControl* const control = MapControl();
  return control;
}

bool Armed(FaultCall call) {
  const FaultControl* const control = Control();
  return control != nullptr && control->armed.load(std::memory_order_acquire) != 0 &&
         control->call == call;
}

uint64_t InodeOf(int descriptor) {
  struct stat status = {};
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

bool PathMatches(std::string_view path) {
  return path.ends_with(static_cast<const char*>(Control()->path_end));
}

bool DescriptorMatches(int descriptor) {
  std::array<char, 64> link;
  std::array<char, 4096> path;
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link.data(), path.data(), path.size());
  return size > 0 && PathMatches({path.data(), static_cast<size_t>(size)});
}

// Counts a matching call and tells whether it fails.
bool Chosen() {
  FaultControl* const control = Control();
  const uint64_t number = control->seen.fetch_add(1) + 1;
  const bool chosen = control->repeats != 0 ? number >= control->first : number == control->first;
  if (chosen) control->failed.fetch_add(1);
  return chosen;
}

// False after a stall: the call goes on.
bool Fails() {
  const FaultControl* const control = Control();
  if (control->effect != kStall) return true;
  while (control->armed.load(std::memory_order_acquire) != 0) poll(nullptr, 0, 1);
  return false;
}

// For calls about a path: true when this one fails, errno set.
bool FailsPath(FaultCall call, const char* path) {
  if (!Armed(call) || !PathMatches(path) || !Chosen() || !Fails()) return false;
  errno = Control()->effect;
  return true;
}

bool FailsDescriptor(FaultCall call, int descriptor) {
  if (!Armed(call) || !DescriptorMatches(descriptor) || !Chosen() || !Fails()) return false;
  errno = Control()->effect;
  return true;
}

// As the kernel does it: once a sync has lost something, every other open file of it is told at its
// next sync, once.
bool ToldNow(int descriptor) {
  static std::array<std::atomic<int>, kMostTold> told = {};  // descriptor + 1
  for (std::atomic<int>& place : told) {
    int known = 0;
    if (place.compare_exchange_strong(known, descriptor + 1)) return true;
    if (known == descriptor + 1) return false;
  }
  return false;
}

bool FailsSync(int descriptor) {
  FaultControl* const control = Control();
  if (control == nullptr) return false;
  const uint64_t inode = InodeOf(descriptor);
  if (inode != 0 && control->failed_sync_inode.load() == inode) {
    if (control->failed_sync_descriptor.load() == descriptor) {
      control->syncs_after.fetch_add(1);
      return false;
    }
    errno = control->effect;
    return ToldNow(descriptor);
  }
  if (!FailsDescriptor(FaultCall::kSync, descriptor)) return false;
  const int error_number = errno;
  control->failed_sync_descriptor.store(descriptor);
  control->failed_sync_inode.store(inode);
  errno = error_number;
  return true;
}

// `bytes` is made smaller when the write is to be cut short.
bool FailsWrite(int descriptor, size_t* bytes) {
  FaultControl* const control = Control();
  if (control == nullptr) return false;
  const uint64_t lost = control->failed_sync_inode.load();
  if (lost != 0 && lost == InodeOf(descriptor)) control->writes_after.fetch_add(1);
  if (!Armed(FaultCall::kWrite) || *bytes < control->least_bytes ||
      (control->most_bytes != 0 && *bytes > control->most_bytes)) {
    return false;
  }
  if (!FailsDescriptor(FaultCall::kWrite, descriptor)) return false;
  if (control->effect != kShortWrite) return true;
  *bytes = std::max<size_t>(*bytes / 2, 1);
  return false;
}

int Open(const char* name, const char* path, int flags, mode_t mode) {
  if (FailsPath(FaultCall::kOpen, path)) return kNoDescriptor;
  return Next<int(const char*, int, ...)>(name)(path, flags, mode);
}

mode_t ModeOf(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

size_t Total(const iovec* parts, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; ++i) bytes += parts[i].iov_len;
  return bytes;
}

ssize_t Pwrite(const char* name, int descriptor, const void* from, size_t bytes, off_t offset) {
  if (FailsWrite(descriptor, &bytes)) return -1;
  return Next<ssize_t(int, const void*, size_t, off_t)>(name)(descriptor, from, bytes, offset);
}

ssize_t Pwritev(const char* name, int descriptor, const iovec* parts, int count, off_t offset) {
  const size_t whole = Total(parts, count);
  size_t bytes = whole;
  if (FailsWrite(descriptor, &bytes)) return -1;
  // Cut short: its first part alone has fewer bytes than the whole.
  if (bytes < whole)
    return Pwrite("pwrite", descriptor, parts[0].iov_base, std::min(bytes, parts[0].iov_len),
                  offset);
  return Next<ssize_t(int, const iovec*, int, off_t)>(name)(descriptor, parts, count, offset);
}

void* Map(const char* name, void* at, size_t bytes, int protection, int flags, int descriptor,
          off_t offset) {
  if (descriptor >= 0 && FailsDescriptor(FaultCall::kMap, descriptor)) return MAP_FAILED;
  return Next<void*(void*, size_t, int, int, int, off_t)>(name)(at, bytes, protection, flags,
                                                                descriptor, offset);
}

}  // namespace
}  // namespace quire::test

using quire::test::FailsDescriptor;
using quire::test::FailsPath;
using quire::test::FailsSync;
using quire::test::FailsWrite;
using quire::test::FaultCall;
using quire::test::ModeOf;
using quire::test::Next;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return quire::test::Open("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  return quire::test::Open("open64", path, flags, mode);
}

int openat(int directory, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = ModeOf(flags, arguments);
  va_end(arguments);
  if (FailsPath(FaultCall::kOpen, path)) return -1;
  return Next<int(int, const char*, int, ...)>("openat")(directory, path, flags, mode);
}

ssize_t write(int descriptor, const void* from, size_t bytes) {
  if (FailsWrite(descriptor, &bytes)) return -1;
  return Next<ssize_t(int, const void*, size_t)>("write")(descriptor, from, bytes);
}

ssize_t pwrite(int descriptor, const void* from, size_t bytes, off_t offset) {
  return quire::test::Pwrite("pwrite", descriptor, from, bytes, offset);
}

ssize_t pwrite64(int descriptor, const void* from, size_t bytes, off64_t offset) {
  return quire::test::Pwrite("pwrite64", descriptor, from, bytes, offset);
}

ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t offset) {
  return quire::test::Pwritev("pwritev", descriptor, parts, count, offset);
}

ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t offset) {
  return quire::test::Pwritev("pwritev64", descriptor, parts, count, offset);
}

ssize_t pread(int descriptor, void* to, size_t bytes, off_t offset) {
  if (FailsDescriptor(FaultCall::kRead, descriptor)) return -1;
  return Next<ssize_t(int, void*, size_t, off_t)>("pread")(descriptor, to, bytes, offset);
}

int fsync(int descriptor) {
  return FailsSync(descriptor) ? -1 : Next<int(int)>("fsync")(descriptor);
}

int fdatasync(int descriptor) {
  return FailsSync(descriptor) ? -1 : Next<int(int)>("fdatasync")(descriptor);
}

int fallocate(int descriptor, int mode, off_t offset, off_t bytes) {
  if (FailsDescriptor(FaultCall::kAllocate, descriptor)) return -1;
  return Next<int(int, int, off_t, off_t)>("fallocate")(descriptor, mode, offset, bytes);
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t bytes) {
  if (FailsDescriptor(FaultCall::kAllocate, descriptor)) return -1;
  return Next<int(int, int, off64_t, off64_t)>("fallocate64")(descriptor, mode, offset, bytes);
}

int ftruncate(int descriptor, off_t bytes) noexcept {
  if (FailsDescriptor(FaultCall::kTruncate, descriptor)) return -1;
  return Next<int(int, off_t)>("ftruncate")(descriptor, bytes);
}

int ftruncate64(int descriptor, off64_t bytes) noexcept {
  if (FailsDescriptor(FaultCall::kTruncate, descriptor)) return -1;
  return Next<int(int, off64_t)>("ftruncate64")(descriptor, bytes);
}

int rename(const char* from, const char* to) noexcept {
  if (FailsPath(FaultCall::kRename, to)) return -1;
  return Next<int(const char*, const char*)>("rename")(from, to);
}

int unlink(const char* path) noexcept {
  if (FailsPath(FaultCall::kUnlink, path)) return -1;
  return Next<int(const char*)>("unlink")(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (FailsPath(FaultCall::kMakeDirectory, path)) return -1;
  return Next<int(const char*, mode_t)>("mkdir")(path, mode);
}

void* mmap(void* at, size_t bytes, int protection, int flags, int descriptor,
           off_t offset) noexcept {
  return quire::test::Map("mmap", at, bytes, protection, flags, descriptor, offset);
}

void* mmap64(void* at, size_t bytes, int protection, int flags, int descriptor,
             off64_t offset) noexcept {
  return quire::test::Map("mmap64", at, bytes, protection, flags, descriptor, offset);
}

}  // extern "C"
