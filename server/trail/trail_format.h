// What a batch of the audit trail looks like on disc.
//
// A segment is a sequence of batches, each on a 4 KiB border, and nothing else: what follows the
// last batch is zeros, or what the segment held under an earlier number. All integers are
// little-endian.
//
// Batch header
//   offset size field
//        0    8 checksum       XXH3-64 of all bytes of the batch from offset 8, padding included
//        8    4 magic          0x4C525451, "QTRL"
//       12    2 version        layout version, 2; only climbs. 1: no time, record kinds 1 to 3
//       14    2 reserved       zero
//       16    8 volume id      the volume that wrote it
//       24    8 epoch          of the start of the volume that wrote it
//       32    8 segment        number the segment had then: tells old batches of a reused segment
//       40    8 first LSN      of its first record; the others follow one by one
//       48    4 position       where in the segment, in 4 KiB blocks
//       52    4 length         of the batch, padding included, in 4 KiB blocks
//       56    4 content bytes  header and records, padding excluded
//       60    4 record count   at least 1
//       64    8 time           wall clock, us since 1970, when it was finished; never falls
//       72      records        back to back, then zeros up to the length. Version 1: from 64 on
//
// Record
//   offset size field
//        0    1 kind           TrailRecordKind
//        1    3 reserved       zero
//        4    4 payload bytes
//        8    8 file id
//       16    4 block number   0 but for block images
//       20    4 reserved       zero
//       24      payload        then zeros up to a multiple of 8
//
// FORMAT.md beside this file says the same with the payload of every kind.
#ifndef QUIRE_SERVER_TRAIL_TRAIL_FORMAT_H_
#define QUIRE_SERVER_TRAIL_TRAIL_FORMAT_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "server/base/ids.h"
#include "server/trail/trail_batch.h"
#include "server/trail/trail_device.h"

namespace quire {

inline constexpr uint32_t kBatchMagic = 0x4C525451;
inline constexpr uint16_t kOldestBatchVersion = 1;
inline constexpr uint16_t kBatchVersion = 2;
inline constexpr uint32_t kBatchHeaderBytes = 72;
inline constexpr uint32_t kBatchHeaderBytesOfVersion1 = 64;
inline constexpr uint32_t kTrailRecordHeaderBytes = 24;
inline constexpr uint32_t kTrailRecordAlignment = 8;

// A segment is read whole at recovery, so its size is bounded.
inline constexpr uint64_t kMinSegmentBytes = uint64_t{64} << 10;
inline constexpr uint64_t kMaxSegmentBytes = uint64_t{1} << 30;
// Far above what can be used up; numbers only rise and must not wrap.
inline constexpr uint64_t kMaxSegmentNumber = uint64_t{1} << 62;

static_assert(kBatchHeaderBytes % kTrailRecordAlignment == 0);
static_assert(kBatchHeaderBytesOfVersion1 % kTrailRecordAlignment == 0);
static_assert(kTrailRecordHeaderBytes % kTrailRecordAlignment == 0);
static_assert(kMaxSegmentBytes <= UINT32_MAX, "content bytes are 32 bits");

struct BatchHeader {
  uint16_t version = kBatchVersion;
  uint64_t volume_id = 0;
  uint64_t epoch = 0;
  uint64_t segment = 0;
  Lsn first_lsn = 0;
  uint32_t position = 0;  // in blocks of kTrailBlockBytes
  uint32_t length = 0;    // in blocks of kTrailBlockBytes
  uint32_t content_bytes = 0;
  uint32_t record_count = 0;
  int64_t time_us = 0;  // 0 in version 1

  // Where the records begin.
  uint32_t header_bytes() const {
    return version <= 1 ? kBatchHeaderBytesOfVersion1 : kBatchHeaderBytes;
  }
  Lsn last_lsn() const { return first_lsn + record_count - 1; }
  uint64_t disc_bytes() const { return uint64_t{length} * kTrailBlockBytes; }
};

// Bytes a record with a payload of `payload_bytes` takes in a batch.
uint64_t TrailRecordBytes(uint64_t payload_bytes);
// Writes TrailRecordBytes(record.payload.size()) bytes.
void EncodeTrailRecord(const TrailRecord& record, char* to);

// Writes the header, in the layout of its version, and the checksum. `batch` is the whole batch,
// records in place, padding zero.
void EncodeBatchHeader(const BatchHeader& header, absl::Span<char> batch);

// Whether `bytes` begin with something that has the magic and possible lengths. Cheap: looks at
// the first kBatchHeaderBytes only, and fills `header` when true. Layouts newer than this program's
// are taken to begin as its own: ParseRecords refuses them by their number.
bool PeekBatchHeader(absl::Span<const char> bytes, BatchHeader* header);

// Whether the batch of that header is there in full: its length is within `bytes`, its checksum is
// right.
bool IsWholeBatch(absl::Span<const char> bytes, const BatchHeader& header);

// The records of a whole batch, as views into `bytes`. 59 when the version or a record is not known
// or lengths do not add up: with a right checksum that is no torn write.
absl::Status ParseRecords(absl::Span<const char> bytes, const BatchHeader& header,
                          std::vector<TrailRecord>* records);

// All of the above, for any bytes at all: 59 with the reason when they do not begin with a batch.
absl::Status ParseBatch(absl::Span<const char> bytes, BatchHeader* header,
                        std::vector<TrailRecord>* records);

}  // namespace quire

#endif  // QUIRE_SERVER_TRAIL_TRAIL_FORMAT_H_
