// Writes the records of a source to an open file, one at a time or pipelined.
#ifndef QUIRE_CLIENT_BENCH_LOADER_H_
#define QUIRE_CLIENT_BENCH_LOADER_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "client/bench/record_source.h"
#include "quire/filesystem.h"

namespace quire {
namespace bench {

// Told how many records were handed over; false stops the load with 40.
using LoadProgress = absl::FunctionRef<bool(uint64_t done)>;

// Returns how many records were written, all of them acknowledged. With in_flight 1 each reply is
// awaited before the next record is made. Else up to in_flight records are under way; the file's
// batch_operations says how many travel together. Stops at the first refused record: its own number
// (10, 21, 43, …) with what the source calls it; records after it may have been written.
absl::StatusOr<uint64_t> LoadRecords(RecordSource* source, File* file, uint32_t in_flight,
                                     LoadProgress progress);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_LOADER_H_
