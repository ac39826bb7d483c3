// YCSB's standard mixes (Cooper and others, "Benchmarking Cloud Serving Systems with YCSB", SoCC
// 2010) on a loaded store, one operation at a time; an update replaces the whole record.
#ifndef QUIRE_CLIENT_BENCH_PEERS_MIXED_WORKS_H_
#define QUIRE_CLIENT_BENCH_PEERS_MIXED_WORKS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "client/bench/peers/cell.h"
#include "client/bench/peers/changed_records.h"
#include "client/bench/peers/peer.h"

namespace quire {
namespace bench {

bool IsMixed(Work work);
// Nothing is durable before a Settle that does not come. Every record read is checked; of a scan
// how many came and that they rise.
absl::Status MeasureMixed(PeerStore* store, ChangedRecords* records, Work work, uint64_t operations,
                          Figures* figures);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_MIXED_WORKS_H_
