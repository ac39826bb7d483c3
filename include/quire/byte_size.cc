#include "quire/byte_size.h"

#include <array>
#include <limits>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "quire/text.h"

namespace quire {
namespace {

struct Suffix {
  std::string_view text;
  int shift;
};

// The plain "B" stands last, because every suffix ends with it.
constexpr std::array kSuffixes = {Suffix{"TiB", 40}, Suffix{"GiB", 30}, Suffix{"MiB", 20},
                                  Suffix{"KiB", 10}, Suffix{"B", 0}};

}  // namespace

bool AbslParseFlag(absl::string_view text, ByteSize* size, std::string* error) {
  std::string_view number = ToStd(absl::StripAsciiWhitespace(text));
  int shift = 0;
  for (const Suffix& suffix : kSuffixes) {
    if (!number.ends_with(suffix.text)) continue;
    number.remove_suffix(suffix.text.size());
    shift = suffix.shift;
    break;
  }
  uint64_t value = 0;
  if (!absl::SimpleAtoi(ToAbsl(number), &value) ||
      value > (std::numeric_limits<uint64_t>::max() >> shift)) {
    *error = StrCat("\"", ToStd(text),
                    "\" is no size; write bytes or a number with KiB, MiB, GiB "
                    "or TiB, such as 512MiB");
    return false;
  }
  size->bytes = value << shift;
  return true;
}

std::string AbslUnparseFlag(const ByteSize& size) {
  for (const Suffix& suffix : kSuffixes) {
    const uint64_t unit = uint64_t{1} << suffix.shift;
    if (suffix.shift > 0 && size.bytes >= unit && size.bytes % unit == 0) {
      return StrCat(size.bytes / unit, suffix.text);
    }
  }
  return StrCat(size.bytes);
}

}  // namespace quire
