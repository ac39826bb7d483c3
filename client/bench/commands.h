// The subcommands of quire-bench. Each has its options (Abseil flags) beside it.
#ifndef QUIRE_CLIENT_BENCH_COMMANDS_H_
#define QUIRE_CLIENT_BENCH_COMMANDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// Exit codes of the program.
inline constexpr int kExitDone = 0;
inline constexpr int kExitMissed = 1;  // a check was missed
inline constexpr int kExitUsage = 2;
inline constexpr int kExitFailed = 3;  // the work could not be done; the reason was printed

// Writes a MEASURE report text.
absl::StatusOr<int> GenerateCommand();

// Runs the article's program. `servers_option` is the option by which the caller chose servers that
// run already ("router", "volumes", "embedded"); empty: start our own.
absl::StatusOr<int> CsvloadCommand(const std::string& servers_option);

// Measures single record operations against a volume server of its own: operations per second, p50
// and p99, by the way they are called.
absl::StatusOr<int> AccessCommand();

// Measures one durable write at a time, embedded, beside a bare synced append of the same bytes.
absl::StatusOr<int> DurableCommand();

// Measures what the machine and bare gRPC allow without any store.
absl::StatusOr<int> LimitsCommand();

// Serves bare gRPC for another quire-bench until a signal ends it.
absl::StatusOr<int> BareGrpcServerCommand();
// Measures Quire beside other stores and what the machine allows.
absl::StatusOr<int> PeersCommand();

// Splits the processor time of requests by what the volume does with it, over gRPC and embedded.
absl::StatusOr<int> ProfileCommand();

// Measures eleven partitions against one, all on one disc.
absl::StatusOr<int> PartitionsCommand();

// Measures what inserts, reads and starts cost as a file grows from step to step.
absl::StatusOr<int> ScaleCommand();

// Measures what keeping data blocks in the cache and freezing index blocks are worth, embedded.
absl::StatusOr<int> LookasideCommand();

// Compares what wakes another thread: two threads in turns, and on the path of real requests.
absl::StatusOr<int> HandoffCommand();

// Scans data larger than the cache with each kind of read-ahead, the page cache dropped.
absl::StatusOr<int> ReadAheadCommand();

// Loads with small, large and whole-file extents, zero-filled and not.
absl::StatusOr<int> ExtentsCommand();

// Loads, reads and scans files of each block size.
absl::StatusOr<int> BlocksCommand();

// Prints median ratios of two files of measurements.
absl::StatusOr<int> CompareCommand(const std::vector<std::string>& files);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_COMMANDS_H_
