// The first bytes of every block image: a block knows itself.
//
// All integers little-endian. "From" says which layer gives the field its meaning.
//
//   offset size field          from    meaning
//        0    8 checksum       base    XXH3-64 of all image bytes from offset 8 to the end
//        8    8 file id        base    file the block belongs to
//       16    4 block number   base    position in the file
//       20    2 magic          base    0x5142, "BQ": a stray page of zeros or text is not a block
//       22    1 version        base    layout version, 1; only climbs
//       23    1 level          btree   0 data, 1 lowest index, …, 255 bitmap
//       24    4 previous       btree   data: block before in key order; 0 none
//       28    4 next           btree   data: block after in key order; 0 none
//       32    2 record count   btree   records or index entries
//       34    2 reserved       base    zero
//       36      contents       btree   see server/btree/block_layout.h
//
// The checksum is right only in images outside the cache: it is set by SealImage when an image
// leaves for the store and checked by VerifyImage when it comes back.
#ifndef QUIRE_SERVER_BASE_BLOCK_HEADER_H_
#define QUIRE_SERVER_BASE_BLOCK_HEADER_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "server/base/ids.h"

namespace quire {

inline constexpr uint32_t kBlockHeaderBytes = 36;
inline constexpr uint16_t kBlockMagic = 0x5142;
inline constexpr uint8_t kBlockVersion = 1;

namespace block_offset {
inline constexpr uint32_t kChecksum = 0;
inline constexpr uint32_t kFileId = 8;
inline constexpr uint32_t kBlockNumber = 16;
inline constexpr uint32_t kMagic = 20;
inline constexpr uint32_t kVersion = 22;
inline constexpr uint32_t kLevel = 23;
inline constexpr uint32_t kPrevious = 24;
inline constexpr uint32_t kNext = 28;
inline constexpr uint32_t kRecordCount = 32;
inline constexpr uint32_t kReserved = 34;
}  // namespace block_offset

// Zeroes the image and writes the identity fields.
void FormatImage(absl::Span<char> image, FileId file, BlockNumber block, uint8_t level);

// Sets the checksum over the image as it is.
void SealImage(absl::Span<char> image);

// Empty when the image is a sealed image of this block; else the reason, for error 59.
std::string VerifyImage(absl::Span<const char> image, FileId file, BlockNumber block);

}  // namespace quire

#endif  // QUIRE_SERVER_BASE_BLOCK_HEADER_H_
