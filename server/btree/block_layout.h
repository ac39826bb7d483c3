// What lies in a block image behind the header (server/base/block_header.h). An image is BLOCK - 16
// bytes; the header takes 36; all integers are little-endian.
//
//   level byte  0        data block: records of the file
//               1        lowest index level: one entry per data block
//               2 … 200  index levels above: one entry per block of the level below
//               255      bitmap block
//
// Data and index blocks hold items, packed from the front in key order; a table of slots grows from
// the end of the image backwards. Slot i is the offset at which item i ends.
//
//   offset             size  meaning
//   36                 …     item 0, item 1, … back to back: item i spans [slot i-1 or 36, slot i)
//   image - 2 (i + 1)  2     slot i
//   between the two          free: zeros
//
//   item of a data block    a record                                          costs length + 2
//   item of an index block  kept key bytes (0 … KEYLEN), then child block (4)  costs kept + 6
//
// An index entry keeps the first bytes of its child's first key: one byte more than that key has in
// common with the last key before it. The first entry of a block stands for "lowest" whatever key
// bytes it keeps: none in the leftmost block of a level when it is made, and none above level 1.
// Data blocks are chained both ways in key order; index blocks are not chained.
//
// Bitmap blocks stand at block 0, interval, 2 x interval, … (R-B4), each followed by the blocks it
// describes. Bit j (byte j / 8, bit j mod 8 from the low end) belongs to the (j + 1)-th block after
// the bitmap; set: free, which every block never used yet is too.
//
//   offset  size        meaning
//   36      image - 36  bits
//
// The record count of a bitmap is 0.
#ifndef QUIRE_SERVER_BTREE_BLOCK_LAYOUT_H_
#define QUIRE_SERVER_BTREE_BLOCK_LAYOUT_H_

#include <cstdint>

#include "quire/limits.h"
#include "server/base/block_header.h"
#include "server/base/ids.h"

namespace quire {

inline constexpr uint8_t kDataLevel = 0;
inline constexpr uint8_t kBitmapLevel = 255;
// No real tree comes near; a stored value above it is damage.
inline constexpr uint32_t kMaxIndexLevels = 200;
inline constexpr uint32_t kSlotBytes = 2;
inline constexpr uint32_t kChildBytes = 4;

// Bytes of an image that items and slots share.
constexpr uint32_t CapacityOf(uint32_t image_bytes) {
  return image_bytes - kBlockHeaderBytes;
}
constexpr uint32_t RecordCost(uint32_t record_bytes) {
  return record_bytes + kSlotBytes;
}
constexpr uint32_t EntryCost(uint32_t kept_bytes) {
  return kept_bytes + kChildBytes + kSlotBytes;
}

// Blocks from one bitmap to the next.
constexpr uint32_t BitmapInterval(uint32_t image_bytes) {
  return 1 + 8 * CapacityOf(image_bytes);
}
constexpr bool IsBitmapBlock(BlockNumber block, uint32_t image_bytes) {
  return block % BitmapInterval(image_bytes) == 0;
}
constexpr BlockNumber BitmapOf(BlockNumber block, uint32_t image_bytes) {
  return block - block % BitmapInterval(image_bytes);
}

// Every REC that attributes allow fits into a block (R-B1), and slots can name every offset.
static_assert(kDefaultBlockBytes - kRecordOverheadBytes + kSlotBytes <=
              CapacityOf(kDefaultBlockBytes - kStoreHeaderBytes));
static_assert(RecordCost(kMaxRecordBytesLargeBlock) <=
              CapacityOf(kMaxBlockBytes - kStoreHeaderBytes));
static_assert(kMaxBlockBytes <= UINT16_MAX);

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_BLOCK_LAYOUT_H_
