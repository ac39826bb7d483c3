// The memory a server may use, and how a volume divides it.
#ifndef QUIRE_SERVER_MAIN_MEMORY_LIMIT_H_
#define QUIRE_SERVER_MAIN_MEMORY_LIMIT_H_

#include <cstdint>
#include <optional>
#include <string>

namespace quire {

// The lowest limit of the process's control group and those above it, in bytes; none when there is
// no limit. Both versions of the kernel's interface, looked up under `root` ("" on a real system).
std::optional<uint64_t> ControlGroupMemoryBytes(const std::string& root = "");

struct MemoryShares {
  uint64_t cache_bytes = 0;
  uint64_t dirty_limit_bytes = 0;
};

// What a process needs beside cache and dirty blocks (R-D5).
inline constexpr uint64_t kProcessOverheadBytes = uint64_t{128} << 20;

// Leaves the wish as it is when cache, dirty limit and overhead fit into `limit_bytes`; otherwise
// two thirds of what is left after the overhead go to the cache and one third to the dirty limit.
// The dirty limit is never more than half of the cache.
MemoryShares FitIntoMemory(const MemoryShares& wish, std::optional<uint64_t> limit_bytes);

}  // namespace quire

#endif  // QUIRE_SERVER_MAIN_MEMORY_LIMIT_H_
