// Byte strings in key order: unsigned, byte by byte, the shorter first where one begins the other.
// The same as std::string_view::compare, without a call and by eight bytes at a time: keys are
// short, and a search compares a dozen of them.
#ifndef QUIRE_SERVER_BASE_COMPARE_H_
#define QUIRE_SERVER_BASE_COMPARE_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "server/base/bytes.h"

namespace quire {

// Below 0, 0, above 0.
inline int CompareKeys(std::string_view a, std::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  size_t at = 0;
  for (; at + 8 <= common; at += 8) {
    const auto left = LoadLittle<uint64_t>(a.data() + at);
    const auto right = LoadLittle<uint64_t>(b.data() + at);
    if (left != right) return __builtin_bswap64(left) < __builtin_bswap64(right) ? -1 : 1;
  }
  if (at + 4 <= common) {
    const auto left = LoadLittle<uint32_t>(a.data() + at);
    const auto right = LoadLittle<uint32_t>(b.data() + at);
    if (left != right) return __builtin_bswap32(left) < __builtin_bswap32(right) ? -1 : 1;
    at += 4;
  }
  for (; at < common; ++at) {
    const int difference = static_cast<unsigned char>(a[at]) - static_cast<unsigned char>(b[at]);
    if (difference != 0) return difference;
  }
  return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_COMPARE_H_
