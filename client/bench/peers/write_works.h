// The works that write, on an open store.
#ifndef QUIRE_CLIENT_BENCH_PEERS_WRITE_WORKS_H_
#define QUIRE_CLIENT_BENCH_PEERS_WRITE_WORKS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "client/bench/peers/cell.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {

// Records come in 100 interleaved runs, so that neighbours are not written together.
absl::Status MeasureDurable(PeerStore* store, const RecordSet& records, uint64_t operations,
                            Figures* figures);
absl::Status MeasureGroup(PeerStore* store, const RecordSet& records, uint64_t operations,
                          Figures* figures);
// One of the loads.
absl::Status MeasureLoad(PeerStore* store, const RecordSet& records, Work work, Figures* figures);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_WRITE_WORKS_H_
