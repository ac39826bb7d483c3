#include "client/bench/lookaside/swapped_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "client/bench/splitmix.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kPages = 16384;

absl::Status Failed(const std::string& path, const char* what) {
  return MakeError(ErrorNumber::kBadParameter, StrCat(what, " ", path, ": ", std::strerror(errno),
                                                      "; choose another --directory"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<SwappedMemory>> SwappedMemory::Make(const std::string& path) {
  const int made = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (made < 0) return Failed(path, "cannot make");
  const std::string piece(uint64_t{1} << 20, 's');
  bool written = true;
  for (uint64_t at = 0; at < kPages * kPageBytes; at += piece.size()) {
    written =
        written && write(made, piece.data(), piece.size()) == static_cast<ssize_t>(piece.size());
  }
  written = written && fdatasync(made) == 0;
  close(made);
  if (!written) return Failed(path, "cannot write");
  const int file = open(path.c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC);
  if (file < 0) return Failed(path, "cannot read past the page cache");
  return std::unique_ptr<SwappedMemory>(new SwappedMemory(file));
}

SwappedMemory::~SwappedMemory() {
  close(file_);
}

void SwappedMemory::Use(absl::Span<const char> image) {
  // By its place in memory, so that a frame is swapped out or not whatever block it holds.
  SplitMix64 place(reinterpret_cast<uintptr_t>(image.data()));
  if (place.Below(2) == 0) return;
  for (uint64_t bytes = 0; bytes < image.size(); bytes += kPageBytes) {
    const auto at = static_cast<off_t>(place.Below(kPages) * kPageBytes);
    // What comes is not looked at, nor is it needed that it comes.
    [[maybe_unused]] const ssize_t read = pread(file_, page_.bytes, kPageBytes, at);
  }
}

}  // namespace bench
}  // namespace quire
