// The works that read what was loaded. Every record that comes back is checked.
#ifndef QUIRE_CLIENT_BENCH_PEERS_READ_WORKS_H_
#define QUIRE_CLIENT_BENCH_PEERS_READ_WORKS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "client/bench/peers/cell.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {

// Reads `wanted` records from the first on, and that there are no more: warms what is cached, and
// shows that the store holds what it was given. 59.
absl::Status CheckContents(PeerStore* store, const RecordSet& records, uint64_t wanted);

absl::Status MeasureRead(PeerStore* store, const RecordSet& records, uint64_t operations,
                         Figures* figures);
absl::Status MeasureReadGroup(PeerStore* store, const RecordSet& records, uint64_t operations,
                              Figures* figures);
absl::Status MeasureScan(PeerStore* store, const RecordSet& records, Figures* figures);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_READ_WORKS_H_
