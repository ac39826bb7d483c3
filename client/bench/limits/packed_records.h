// The size of a chunk of records on the wire, and how many it holds.
#ifndef QUIRE_CLIENT_BENCH_LIMITS_PACKED_RECORDS_H_
#define QUIRE_CLIENT_BENCH_LIMITS_PACKED_RECORDS_H_

#include <cstdint>

#include "client/bench/made_records.h"

namespace quire {
namespace bench {

// A chunk of Scan and Load (RecordChunk): 256 KiB, whole records only.
inline constexpr uint64_t kChunkBytes = 256 << 10;
inline constexpr uint64_t kRecordsOfChunk = kChunkBytes / MadeRecords::kRecordBytes;

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LIMITS_PACKED_RECORDS_H_
