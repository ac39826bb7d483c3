#include "server/btree/bitmap.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "server/base/bytes.h"
#include "server/btree/block_layout.h"

namespace quire {
namespace {

uint32_t ImageBytesOf(absl::Span<const char> image) {
  return static_cast<uint32_t>(image.size());
}

// Number of the block's bit; the block is covered by some bitmap of this size.
uint32_t BitOf(absl::Span<const char> image, BlockNumber block) {
  return block % BitmapInterval(ImageBytesOf(image)) - 1;
}

}  // namespace

void SetAllFree(absl::Span<char> image) {
  std::memset(image.data() + kBlockHeaderBytes, 0xFF, image.size() - kBlockHeaderBytes);
}

bool IsFree(absl::Span<const char> image, BlockNumber block) {
  const uint32_t bit = BitOf(image, block);
  const auto byte = LoadLittle<uint8_t>(image.data() + kBlockHeaderBytes + bit / 8);
  return (byte >> (bit % 8) & 1) != 0;
}

void SetFree(absl::Span<char> image, BlockNumber block, bool free) {
  const uint32_t bit = BitOf(image, block);
  char* at = image.data() + kBlockHeaderBytes + bit / 8;
  const uint32_t mask = 1U << (bit % 8);
  const uint32_t byte = LoadLittle<uint8_t>(at);
  StoreLittle(at, static_cast<uint8_t>(free ? byte | mask : byte & ~mask));
}

BlockNumber FindFree(absl::Span<const char> image, BlockNumber bitmap, BlockNumber from,
                     BlockNumber limit) {
  const uint32_t bits = BitmapInterval(ImageBytesOf(image)) - 1;
  const char* at = image.data() + kBlockHeaderBytes;
  uint32_t bit = from > bitmap + 1 ? from - bitmap - 1 : 0;
  while (bit < bits) {
    // Eight bytes at a time where they are there, the last few one by one.
    uint64_t word = 0;
    const uint32_t byte = bit / 8;
    std::memcpy(&word, at + byte, std::min<size_t>(sizeof(word), bits / 8 - byte));
    word >>= bit % 8;
    if (word != 0) {
      const BlockNumber block = bitmap + 1 + bit + static_cast<uint32_t>(std::countr_zero(word));
      return block < limit ? block : 0;
    }
    bit = (byte + sizeof(word)) * 8;
  }
  return 0;
}

}  // namespace quire
