#include "client/bench/scale/disc_probe.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>

#include "absl/cleanup/cleanup.h"
#include "client/bench/errors.h"
#include "client/bench/stop_signal.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr uint64_t kWriteBytes = 1 << 20;
constexpr uint64_t kBlockBytes = 4096;
// Trail segments beside the data, files of the bench itself, and the store's reservation ahead.
constexpr uint64_t kBesideBytes = uint64_t{2} << 30;

struct Freed {
  void operator()(char* memory) const { std::free(memory); }
};
using AlignedBytes = std::unique_ptr<char, Freed>;

AlignedBytes Allocate(uint64_t bytes) {
  AlignedBytes memory(static_cast<char*>(std::aligned_alloc(kBlockBytes, bytes)));
  // Not zeros: some discs keep those as nothing.
  for (uint64_t i = 0; memory != nullptr && i < bytes; ++i) {
    memory.get()[i] = static_cast<char>(i * 2654435761U >> 7);
  }
  return memory;
}

double SecondsSince(SteadyClock::time_point begun) {
  return std::chrono::duration<double>(SteadyClock::now() - begun).count();
}

}  // namespace

absl::StatusOr<double> SustainedWriteRate(const std::string& directory, uint64_t bytes) {
  const std::string path = (fs::path(directory) / "write-rate").string();
  const AlignedBytes memory = Allocate(kWriteBytes);
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT | O_CLOEXEC, 0640);
  if (file < 0 || memory == nullptr) return CannotOpen(path, file < 0 ? errno : ENOMEM);
  const absl::Cleanup remove = [&] {
    close(file);
    unlink(path.c_str());
  };
  const SteadyClock::time_point begun = SteadyClock::now();
  const uint64_t writes = std::max<uint64_t>(bytes / kWriteBytes, 1);
  for (uint64_t i = 0; i < writes; ++i) {
    if (StopRequested()) return Interrupted();
    const ssize_t written =
        pwrite(file, memory.get(), kWriteBytes, static_cast<off_t>(i * kWriteBytes));
    if (written != static_cast<ssize_t>(kWriteBytes)) {
      return CannotWrite(path, written < 0 ? errno : ENOSPC);
    }
  }
  if (fdatasync(file) != 0) return CannotWrite(path, errno);
  return static_cast<double>(writes * kWriteBytes) / SecondsSince(begun);
}

absl::StatusOr<double> RandomReadMicros(const std::string& path, uint32_t reads, uint64_t seed) {
  const AlignedBytes memory = Allocate(kBlockBytes);
  const int file = open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (file < 0 || memory == nullptr) return CannotOpen(path, file < 0 ? errno : ENOMEM);
  const absl::Cleanup close_file = [&] { close(file); };
  const uint64_t blocks = static_cast<uint64_t>(lseek(file, 0, SEEK_END)) / kBlockBytes;
  if (blocks == 0 || reads == 0) return CannotRead(path, EINVAL);
  std::mt19937_64 random(seed);
  const SteadyClock::time_point begun = SteadyClock::now();
  for (uint32_t i = 0; i < reads; ++i) {
    const auto at = static_cast<off_t>(random() % blocks * kBlockBytes);
    if (pread(file, memory.get(), kBlockBytes, at) != static_cast<ssize_t>(kBlockBytes)) {
      return CannotRead(path, errno);
    }
  }
  return SecondsSince(begun) * 1e6 / reads;
}

absl::Status DropPageCache(const std::string& directory) {
  std::error_code failed;
  for (fs::recursive_directory_iterator at(directory, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (!at->is_regular_file(failed)) continue;
    const std::string path = at->path().string();
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return CannotOpen(path, errno);
    const absl::Cleanup close_file = [&] { close(file); };
    if (fsync(file) != 0) return CannotRead(path, errno);
    if (int cause = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED); cause != 0) {
      return CannotRead(path, cause);
    }
  }
  return failed ? CannotOpen(directory, failed.value()) : absl::OkStatus();
}

absl::StatusOr<uint64_t> FreeDiscBytes(const std::string& directory) {
  struct statvfs file_system;
  if (statvfs(directory.c_str(), &file_system) != 0) return CannotOpen(directory, errno);
  return static_cast<uint64_t>(file_system.f_bavail) * file_system.f_frsize;
}

uint64_t OwnWrittenBytes() {
  std::ifstream file("/proc/self/io");
  std::string name;
  uint64_t value = 0;
  while (file >> name >> value) {
    if (name == "write_bytes:") return value;
  }
  return 0;
}

uint64_t DiscBytesWanted(uint64_t records, double bytes_per_record) {
  return static_cast<uint64_t>(static_cast<double>(records) * bytes_per_record) + kBesideBytes;
}

}  // namespace bench
}  // namespace quire
