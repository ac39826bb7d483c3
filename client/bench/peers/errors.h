// Every error that the comparison with other stores makes itself: one function per error.
#ifndef QUIRE_CLIENT_BENCH_PEERS_ERRORS_H_
#define QUIRE_CLIENT_BENCH_PEERS_ERRORS_H_

#include <cstdint>
#include <string_view>

#include "absl/status/status.h"

namespace quire {
namespace bench {

// A call of another store that it refused, in its own words. 22.
absl::Status PeerRefused(std::string_view peer, std::string_view call, std::string_view reason);
// 11.
absl::Status PeerHasNoRecord(std::string_view peer);
// A store gave back something else than what was written. 59.
absl::Status WrongRecord(std::string_view work, uint64_t rank);
absl::Status WrongCount(std::string_view work, uint64_t got, uint64_t wanted);
// The child process that worked on one store ended badly. 66.
absl::Status CellFailed(std::string_view peer, std::string_view how);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_ERRORS_H_
