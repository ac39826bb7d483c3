// A number of bytes as options take it: "4096", "512MiB", "1 TiB". Usable as an Abseil flag type.
#ifndef QUIRE_BYTE_SIZE_H_
#define QUIRE_BYTE_SIZE_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace quire {

struct ByteSize {
  uint64_t bytes = 0;

  bool operator==(const ByteSize&) const = default;
};

// Whole numbers with the suffix KiB, MiB, GiB, TiB or B, or none for bytes. False, with a sentence
// in `error`, for anything else and for sizes that do not fit into 64 bits.
bool AbslParseFlag(absl::string_view text, ByteSize* size, std::string* error);
// With the largest suffix that leaves a whole number: "512MiB".
std::string AbslUnparseFlag(const ByteSize& size);

}  // namespace quire

#endif  // QUIRE_BYTE_SIZE_H_
