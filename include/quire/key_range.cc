#include "quire/key_range.h"

#include <algorithm>

namespace quire {

// std::string_view compares as unsigned bytes (char_traits<char>::compare is memcmp).

bool KeyRange::Contains(std::string_view key) const {
  return key >= std::string_view(start) && (limit.empty() || key < std::string_view(limit));
}

bool KeyRange::IsEmpty() const {
  return !limit.empty() && start >= limit;
}

KeyRange KeyRange::Intersect(const KeyRange& other) const {
  KeyRange both;
  both.start = std::max(start, other.start);
  if (limit.empty()) {
    both.limit = other.limit;
  } else if (other.limit.empty()) {
    both.limit = limit;
  } else {
    both.limit = std::min(limit, other.limit);
  }
  return both;
}

KeyRange KeyRange::Prefix(std::string_view prefix) {
  return KeyRange{std::string(prefix), PrefixLimit(prefix)};
}

std::string PrefixLimit(std::string_view prefix) {
  std::string limit(prefix);
  while (!limit.empty() && static_cast<unsigned char>(limit.back()) == 0xFF) limit.pop_back();
  if (!limit.empty())
    limit.back() = static_cast<char>(static_cast<unsigned char>(limit.back()) + 1);
  return limit;
}

}  // namespace quire
