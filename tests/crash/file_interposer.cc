// The C library's calls that change files, defined again in the test program: they do what they
// always do and tell FileRecorder. The dynamic linker finds the program's definitions first, also
// for the shared libraries it uses (LMDB's above all).
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "tests/crash/file_recorder.h"

namespace quire::test {
namespace {

// The C library's own definition of `name`.
template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Makes the call and, when it succeeds while recording is on, tells what happened; both under the
// recorder's lock, so that the record's order is the order of the calls. Keeps errno.
template <typename Call, typename Tell>
auto Recorded(Call call, Tell tell) {
  FileRecorder& recorder = FileRecorder::Instance();
  if (!recorder.active()) return call();
  MutexLock lock(&recorder.mutex);
  const auto result = call();
  const int error_number = errno;
  if (result >= 0) tell(recorder, result);
  errno = error_number;
  return result;
}

int RecordedOpen(const char* name, const char* path, int flags, mode_t mode) {
  static auto* const next = Next<int(const char*, int, ...)>("open");
  static auto* const next64 = Next<int(const char*, int, ...)>("open64");
  auto* const real = std::string(name) == "open" ? next : next64;
  FileRecorder& recorder = FileRecorder::Instance();
  if (!recorder.active()) return real(path, flags, mode);
  MutexLock lock(&recorder.mutex);
  struct stat before = {};
  const bool is_new = (flags & O_CREAT) != 0 && stat(path, &before) != 0;
  const int descriptor = real(path, flags, mode);
  const int error_number = errno;
  struct stat after = {};
  if (descriptor >= 0 && fstat(descriptor, &after) == 0) {
    recorder.Opened(descriptor, path, flags, is_new, S_ISDIR(after.st_mode));
  }
  errno = error_number;
  return descriptor;
}

void RecordedWrite(FileRecorder& recorder, int descriptor, off_t offset, const void* bytes,
                   ssize_t written) {
  recorder.AssertHeld();
  recorder.Written(descriptor, static_cast<uint64_t>(offset),
                   std::string_view(static_cast<const char*>(bytes), static_cast<size_t>(written)));
}

std::string Joined(const iovec* parts, int count, size_t bytes) {
  std::string joined;
  for (int i = 0; i < count; ++i) {
    joined.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
  }
  joined.resize(bytes);
  return joined;
}

ssize_t RecordedPwritev(ssize_t (*real)(int, const iovec*, int, off_t), int descriptor,
                        const iovec* parts, int count, off_t offset) {
  return Recorded([&] { return real(descriptor, parts, count, offset); },
                  [&](FileRecorder& recorder, ssize_t written) {
                    const std::string bytes = Joined(parts, count, static_cast<size_t>(written));
                    RecordedWrite(recorder, descriptor, offset, bytes.data(), written);
                  });
}

ssize_t RecordedPwrite(ssize_t (*real)(int, const void*, size_t, off_t), int descriptor,
                       const void* bytes, size_t size, off_t offset) {
  return Recorded([&] { return real(descriptor, bytes, size, offset); },
                  [&](FileRecorder& recorder, ssize_t written) {
                    RecordedWrite(recorder, descriptor, offset, bytes, written);
                  });
}

int RecordedResize(int (*real)(int, off_t), int descriptor, off_t bytes) {
  return Recorded([&] { return real(descriptor, bytes); },
                  [&](FileRecorder& recorder, int) {
                    recorder.AssertHeld();
                    recorder.Resized(descriptor, static_cast<uint64_t>(bytes), false);
                  });
}

int RecordedAllocate(int (*real)(int, int, off_t, off_t), int descriptor, int mode, off_t offset,
                     off_t bytes) {
  return Recorded([&] { return real(descriptor, mode, offset, bytes); },
                  [&](FileRecorder& recorder, int) {
                    recorder.AssertHeld();
                    if ((mode & FALLOC_FL_KEEP_SIZE) != 0) return;
                    recorder.Resized(descriptor, static_cast<uint64_t>(offset + bytes), true);
                  });
}

int RecordedSync(int (*real)(int), int descriptor) {
  return Recorded([&] { return real(descriptor); },
                  [&](FileRecorder& recorder, int) {
                    recorder.AssertHeld();
                    recorder.Synced(descriptor);
                  });
}

}  // namespace
}  // namespace quire::test

using quire::test::FileRecorder;
using quire::test::Next;

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return quire::test::RecordedOpen("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return quire::test::RecordedOpen("open64", path, flags, mode);
}

int close(int descriptor) {
  static auto* const next = Next<int(int)>("close");
  return quire::test::Recorded([&] { return next(descriptor); },
                               [&](FileRecorder& recorder, int) {
                                 recorder.AssertHeld();
                                 recorder.Closed(descriptor);
                               });
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static auto* const next = Next<ssize_t(int, const void*, size_t)>("write");
  off_t offset = 0;
  return quire::test::Recorded(
      [&] {
        offset = lseek(descriptor, 0, SEEK_CUR);
        return next(descriptor, bytes, size);
      },
      [&](FileRecorder& recorder, ssize_t written) {
        quire::test::RecordedWrite(recorder, descriptor, offset, bytes, written);
      });
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  static auto* const next = Next<ssize_t(int, const iovec*, int)>("writev");
  off_t offset = 0;
  return quire::test::Recorded(
      [&] {
        offset = lseek(descriptor, 0, SEEK_CUR);
        return next(descriptor, parts, count);
      },
      [&](FileRecorder& recorder, ssize_t written) {
        const std::string bytes = quire::test::Joined(parts, count, static_cast<size_t>(written));
        quire::test::RecordedWrite(recorder, descriptor, offset, bytes.data(), written);
      });
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  static auto* const next = Next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  return quire::test::RecordedPwrite(next, descriptor, bytes, size, offset);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  static auto* const next = Next<ssize_t(int, const void*, size_t, off64_t)>("pwrite64");
  return quire::test::RecordedPwrite(next, descriptor, bytes, size, offset);
}

ssize_t pwritev(int descriptor, const iovec* parts, int count, off_t offset) {
  static auto* const next = Next<ssize_t(int, const iovec*, int, off_t)>("pwritev");
  return quire::test::RecordedPwritev(next, descriptor, parts, count, offset);
}

ssize_t pwritev64(int descriptor, const iovec* parts, int count, off64_t offset) {
  static auto* const next = Next<ssize_t(int, const iovec*, int, off64_t)>("pwritev64");
  return quire::test::RecordedPwritev(next, descriptor, parts, count, offset);
}

int ftruncate(int descriptor, off_t bytes) noexcept {
  static auto* const next = Next<int(int, off_t)>("ftruncate");
  return quire::test::RecordedResize(next, descriptor, bytes);
}

int ftruncate64(int descriptor, off64_t bytes) noexcept {
  static auto* const next = Next<int(int, off64_t)>("ftruncate64");
  return quire::test::RecordedResize(next, descriptor, bytes);
}

int fallocate(int descriptor, int mode, off_t offset, off_t bytes) {
  static auto* const next = Next<int(int, int, off_t, off_t)>("fallocate");
  return quire::test::RecordedAllocate(next, descriptor, mode, offset, bytes);
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t bytes) {
  static auto* const next = Next<int(int, int, off64_t, off64_t)>("fallocate64");
  return quire::test::RecordedAllocate(next, descriptor, mode, offset, bytes);
}

int fsync(int descriptor) {
  static auto* const next = Next<int(int)>("fsync");
  return quire::test::RecordedSync(next, descriptor);
}

int fdatasync(int descriptor) {
  static auto* const next = Next<int(int)>("fdatasync");
  return quire::test::RecordedSync(next, descriptor);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const next = Next<int(const char*, const char*)>("rename");
  return quire::test::Recorded([&] { return next(from, to); },
                               [&](FileRecorder& recorder, int) {
                                 recorder.AssertHeld();
                                 recorder.Renamed(from, to);
                               });
}

int unlink(const char* path) noexcept {
  static auto* const next = Next<int(const char*)>("unlink");
  return quire::test::Recorded([&] { return next(path); },
                               [&](FileRecorder& recorder, int) {
                                 recorder.AssertHeld();
                                 recorder.Unlinked(path);
                               });
}

int mkdir(const char* path, mode_t mode) noexcept {
  static auto* const next = Next<int(const char*, mode_t)>("mkdir");
  return quire::test::Recorded([&] { return next(path, mode); },
                               [&](FileRecorder& recorder, int) {
                                 recorder.AssertHeld();
                                 recorder.MadeDirectory(path);
                               });
}

}  // extern "C"
