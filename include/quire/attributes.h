// Attributes of a key-sequenced file as FUP SET and CREATE know them, and their checks.
#ifndef QUIRE_ATTRIBUTES_H_
#define QUIRE_ATTRIBUTES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "quire/key_range.h"

namespace quire {

// Extent sizes in pages of 2,048 bytes. The first extent of a partition has the primary size, all
// others the secondary size.
struct ExtentSizes {
  uint64_t primary_pages = 1;
  uint64_t secondary_pages = 1;

  bool operator==(const ExtentSizes&) const = default;
};

// One secondary partition: FUP `PART ( n, $vol, pri, sec, partial-key )`, n = 1, 2, …
struct PartitionSpec {
  std::string volume;  // "$DATA02"
  ExtentSizes extents;
  std::string partial_key;  // lowest key prefix the partition may hold; 1 … KEYLEN bytes

  bool operator==(const PartitionSpec&) const = default;
};

// What the cache of a volume does for the file beyond plain replacement.
//
// kOff       plain replacement, nothing is measured: what stays in the cache depends on the
// requests
//            alone.
// kNoFreeze  data blocks are kept by a policy that a long scan does not wash out and that measures
//            itself: for each block size it samples what a fetch from the cache and one from the
//            store cost, and while keeping blocks does not pay (hit ratio x saving - cost of
//            keeping) it keeps none; it tries again from time to time.
// kFreeze    the same, and index blocks, once read, stay in memory of their own
//            (kDefaultLookasideBytes, limits.h) until ALTER or PURGE; those that find no room there
//            are replaced as others. A client that routes by the file's label keeps it until
//            REFRESH.
enum class Lookaside : uint8_t { kOff = 0, kNoFreeze = 1, kFreeze = 2 };

// "OFF", "NOFREEZE", "FREEZE".
std::string_view LookasideName(Lookaside lookaside);

struct FileAttributes {
  char type = 'K';             // K only; U, R, E are refused with 2
  uint32_t format = 0;         // 0: decided by Normalize; 1; 2
  uint32_t code = 0;           // 0 … 65535
  ExtentSizes extents;         // of the primary partition
  uint32_t max_extents = 16;   // 16 … 978 for every partition
  uint32_t record_bytes = 80;  // REC: longest record
  uint32_t block_bytes = 4096;
  uint32_t key_length = 0;                // KEYLEN, must be given
  uint32_t key_offset = 0;                // KEYOFF
  uint32_t lock_length = 0;               // LOCKLENGTH; 0 = KEYLEN
  bool buffered = false;                  // write-behind; see the durability table in README
  bool audit = false;                     // redo-logged before the reply; turns `buffered` on
  std::vector<PartitionSpec> partitions;  // secondaries in order; empty: not partitioned
  Lookaside lookaside = Lookaside::kOff;

  bool operator==(const FileAttributes&) const = default;
};

// Rounds what Enscribe rounds (BLOCK up to 4096 to the next legal size, MAXEXTENTS 1–15 to 16,
// extents to whole blocks, a 0-page extent to one page), decides FORMAT when it is 0, pads
// partial keys with binary zeros to one length, AUDIT turns BUFFERED on, and checks everything that
// can be checked without the volumes. Errors (R-B1, B2, B5, B6): 2 type, block size, too many
// partitions; 21 REC, KEYLEN, KEYOFF, LOCKLENGTH, extent sizes or total, partial-key length; 13
// volume name; 46 partial keys not rising. The message names the attribute, its value and the legal
// range.
absl::StatusOr<FileAttributes> Normalize(const FileAttributes& attributes);

// Bytes of a block image: BLOCK - 16 (R-B1).
uint32_t ImageBytes(uint32_t block_bytes);
// Largest REC of a block size: BLOCK - 56, 27,648 at BLOCK 32768.
uint32_t MaxRecordBytes(uint32_t block_bytes);

// Of normalized attributes:

// 1 + secondaries.
uint32_t PartitionCount(const FileAttributes& attributes);
// Extents and key range of partition 0 (the primary) … PartitionCount - 1. The range of partition
// i is [partial key i, partial key i+1); the primary holds everything below partial key 1.
const ExtentSizes& PartitionExtents(const FileAttributes& attributes, uint32_t partition);
KeyRange PartitionRange(const FileAttributes& attributes, uint32_t partition);
// The partition a key belongs to: the last whose partial key <= the key's first bytes.
uint32_t PartitionOfKey(const FileAttributes& attributes, std::string_view key);
// Bytes of a partition with all extents allocated.
uint64_t CapacityBytes(const FileAttributes& attributes, uint32_t partition);

}  // namespace quire

#endif  // QUIRE_ATTRIBUTES_H_
