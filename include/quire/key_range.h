// A range of keys, always [start, limit) in unsigned byte order. The one range type of the API.
#ifndef QUIRE_KEY_RANGE_H_
#define QUIRE_KEY_RANGE_H_

#include <string>
#include <string_view>

namespace quire {

struct KeyRange {
  std::string start;  // first key that may be in the range; empty: from the lowest
  std::string limit;  // first key beyond the range; empty: to the end of the file

  bool operator==(const KeyRange&) const = default;

  bool Contains(std::string_view key) const;
  // True when no key can be in the range.
  bool IsEmpty() const;
  // The keys that are in both.
  KeyRange Intersect(const KeyRange& other) const;

  // All keys that begin with `prefix` (a generic read).
  static KeyRange Prefix(std::string_view prefix);
};

// The first key, in byte order, beyond every key that begins with `prefix`; empty when there is
// none (prefix empty or all bytes 0xFF).
std::string PrefixLimit(std::string_view prefix);

}  // namespace quire

#endif  // QUIRE_KEY_RANGE_H_
