// What the disc gives by itself, and whether it has room.
#ifndef QUIRE_CLIENT_BENCH_SCALE_DISC_PROBE_H_
#define QUIRE_CLIENT_BENCH_SCALE_DISC_PROBE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// Bytes per second of writing `bytes` once, in order, past the page cache, durable at the end. The
// file is removed. 11, 22, 43, 48; 40 for Ctrl-C.
absl::StatusOr<double> SustainedWriteRate(const std::string& directory, uint64_t bytes);

// Microseconds of one read of a random block of 4,096 bytes of the file, past the page cache: the
// mean of `reads`. 11, 22, 48.
absl::StatusOr<double> RandomReadMicros(const std::string& path, uint32_t reads, uint64_t seed);

// Drops the page cache's pages of every file under the directory, after they are on disc. Pages
// that a process has mapped stay. 11, 22.
absl::Status DropPageCache(const std::string& directory);

// Free bytes of the directory's file system for this user. 11, 22.
absl::StatusOr<uint64_t> FreeDiscBytes(const std::string& directory);

// Bytes this process has given to the block layer (/proc/self/io); 0 where the kernel tells
// nothing.
uint64_t OwnWrittenBytes();

// What a step of `records` takes on disc at most: a volume's data and its trail, and the file of
// SustainedWriteRate, which is removed before the data is written.
uint64_t DiscBytesWanted(uint64_t records, double bytes_per_record);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_SCALE_DISC_PROBE_H_
