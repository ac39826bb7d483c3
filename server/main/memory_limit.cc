#include "server/main/memory_limit.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "quire/text.h"

namespace quire {
namespace {

// Version 1 writes "no limit" as a huge number.
constexpr uint64_t kNoLimitBytes = uint64_t{1} << 60;

std::optional<uint64_t> ReadLimit(const std::string& path) {
  std::ifstream file(path);
  std::string text;
  uint64_t bytes = 0;
  if (!std::getline(file, text) || !absl::SimpleAtoi(text, &bytes)) return std::nullopt;
  if (bytes >= kNoLimitBytes) return std::nullopt;
  return bytes;
}

// The lowest limit from the group `path` up to the top of the hierarchy at `mount`.
std::optional<uint64_t> LowestLimit(const std::string& mount, std::string path,
                                    std::string_view file) {
  std::optional<uint64_t> lowest;
  while (true) {
    const std::optional<uint64_t> limit = ReadLimit(StrCat(mount, path, "/", file));
    if (limit) lowest = std::min(*limit, lowest.value_or(*limit));
    const size_t slash = path.rfind('/');
    if (path.empty() || slash == std::string::npos) return lowest;
    path.erase(slash);
  }
}

}  // namespace

std::optional<uint64_t> ControlGroupMemoryBytes(const std::string& root) {
  std::ifstream groups(StrCat(root, "/proc/self/cgroup"));
  std::optional<uint64_t> lowest;
  // Lines "0::/path" (version 2) and "N:memory:/path" (version 1).
  for (std::string line; std::getline(groups, line);) {
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    std::optional<uint64_t> limit;
    if (parts[1].empty()) {
      limit = LowestLimit(StrCat(root, "/sys/fs/cgroup"), parts[2], "memory.max");
    } else if (parts[1] == "memory") {
      limit = LowestLimit(StrCat(root, "/sys/fs/cgroup/memory"), parts[2], "memory.limit_in_bytes");
    }
    if (limit) lowest = std::min(*limit, lowest.value_or(*limit));
  }
  return lowest;
}

MemoryShares FitIntoMemory(const MemoryShares& wish, std::optional<uint64_t> limit_bytes) {
  MemoryShares shares = wish;
  shares.dirty_limit_bytes = std::min(shares.dirty_limit_bytes, shares.cache_bytes / 2);
  if (!limit_bytes) return shares;
  // A group smaller than two overheads cannot have all of it set aside.
  const uint64_t overhead_bytes = std::min(kProcessOverheadBytes, *limit_bytes / 2);
  const uint64_t left_bytes = *limit_bytes - overhead_bytes;
  if (shares.cache_bytes <= left_bytes &&
      shares.dirty_limit_bytes <= left_bytes - shares.cache_bytes) {
    return shares;
  }
  shares.cache_bytes = std::min(shares.cache_bytes, left_bytes / 3 * 2);
  shares.dirty_limit_bytes = std::min(shares.dirty_limit_bytes, left_bytes - shares.cache_bytes);
  shares.dirty_limit_bytes = std::min(shares.dirty_limit_bytes, shares.cache_bytes / 2);
  return shares;
}

}  // namespace quire
