// Stands for a machine without memory to spare, on one that has plenty: a cache larger than memory
// lies in swap in part, and what is found there has to be read back page by page. Here half of the
// frames are such: using one waits for a read of as many bytes, 4 KiB each, from a file past the
// page cache, which is what a swap-in waits for on the same disc.
#ifndef QUIRE_CLIENT_BENCH_LOOKASIDE_SWAPPED_MEMORY_H_
#define QUIRE_CLIENT_BENCH_LOOKASIDE_SWAPPED_MEMORY_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace quire {
namespace bench {

// One thread at a time.
class SwappedMemory {
 public:
  // Makes the file at `path`. 22 where files cannot be read past the page cache.
  static absl::StatusOr<std::unique_ptr<SwappedMemory>> Make(const std::string& path);
  ~SwappedMemory();
  SwappedMemory(const SwappedMemory&) = delete;
  SwappedMemory& operator=(const SwappedMemory&) = delete;

  // A cached image is about to be used.
  void Use(absl::Span<const char> image);

 private:
  explicit SwappedMemory(int file) : file_(file) {}

  const int file_;
  struct alignas(4096) Page {
    char bytes[4096];
  } page_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LOOKASIDE_SWAPPED_MEMORY_H_
