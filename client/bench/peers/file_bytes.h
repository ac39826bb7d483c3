// What some files of a store take on disc.
#ifndef QUIRE_CLIENT_BENCH_PEERS_FILE_BYTES_H_
#define QUIRE_CLIENT_BENCH_PEERS_FILE_BYTES_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace quire {
namespace bench {

// Allocated bytes of the files under `directory` whose names end so; 0 when there are none.
uint64_t FileBytes(const std::string& directory, std::string_view ending);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_FILE_BYTES_H_
