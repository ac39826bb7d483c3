// Some files of a store: what they take on disc, and making them durable.
#ifndef QUIRE_CLIENT_BENCH_PEERS_FILE_BYTES_H_
#define QUIRE_CLIENT_BENCH_PEERS_FILE_BYTES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace quire {
namespace bench {

// Allocated bytes of the files under `directory` whose names end so; 0 when there are none.
uint64_t FileBytes(const std::string& directory, std::string_view ending);

// fdatasync of the files in `directory` with this extension (".log"). One that goes away meanwhile
// is passed over. 11, 48, 43, 22.
absl::Status SyncFiles(const std::string& directory, std::string_view extension);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_FILE_BYTES_H_
