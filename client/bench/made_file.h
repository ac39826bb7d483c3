// Files of MadeRecords: what they are created with, and how they are filled. Used by the benchmarks
// that need a file to work on; only those that measure a load take its time.
#ifndef QUIRE_CLIENT_BENCH_MADE_FILE_H_
#define QUIRE_CLIENT_BENCH_MADE_FILE_H_

#include <cstdint>

#include "absl/status/status.h"
#include "client/bench/made_records.h"
#include "quire/attributes.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

// KEYLEN and REC of the records, BUFFERED, one partition, extents for four million of them.
FileAttributes MadeFileAttributes();

// Loads all `records` in an order through an open of its own and closes it. Of each record the
// first `record_bytes` are stored, at most MadeRecords::kRecordBytes. A record that is refused is
// an error with its place in the order; other errors are those of Open, Load and Close.
absl::Status LoadMadeFile(FileSystem& file_system, const FileName& name, const MadeRecords& records,
                          RecordOrder order, uint32_t record_bytes = MadeRecords::kRecordBytes);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_MADE_FILE_H_
