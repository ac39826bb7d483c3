// One store that a user could pick instead, behind calls that every one of them can answer, so that
// the same work runs on all. Bodies: quire_*_peer.cc, lmdb_peer.cc, rocksdb_peer.cc …; a network
// peer's client is the body, its server runs already.
#ifndef QUIRE_CLIENT_BENCH_PEERS_PEER_H_
#define QUIRE_CLIENT_BENCH_PEERS_PEER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace quire {
namespace bench {

// What is on disc when a write call returns.
enum class PeerDurability : uint8_t {
  kNone,     // nothing asked for until Settle: buffered loads
  kEach,     // every Write alone
  kGrouped,  // every WriteGroup as a whole
};

// A record as the peers see it: the key is its first MadeRecords::kKeyBytes bytes. Stores of
// key and value keep the whole record as the value.
using RecordView = std::string_view;

// One open store. One thread at a time.
class PeerStore {
 public:
  virtual ~PeerStore() = default;
  // Inserts. Durable as PeerOpen::durability says.
  virtual absl::Status Write(RecordView record) = 0;
  // Inserts many, in the given order, in the way that is best for this store (one transaction, one
  // batch, a pipeline, COPY).
  virtual absl::Status WriteGroup(const std::vector<RecordView>& records) = 0;
  // Replaces the record with its key. Durable as Write.
  virtual absl::Status Update(RecordView record) = 0;
  // Everything written is where a later crash does not lose it, and where it will stay: flush,
  // checkpoint, REFRESH (R-M1). Timed as part of a load.
  virtual absl::Status Settle() = 0;
  // Copies the record out into `record`. 11 when there is none.
  virtual absl::Status Read(std::string_view key, std::string* record) = 0;
  // Reads many by key; visits them in the order of the keys given. The best way of this store:
  // pipelined, a session batch. The default reads one by one.
  virtual absl::Status ReadGroup(const std::vector<std::string>& keys,
                                 absl::FunctionRef<void(RecordView)> visit);
  // Visits `limit` records in key order from the first key >= start; every byte must have arrived
  // in this process. start empty: from the first.
  virtual absl::Status Scan(std::string_view start, uint64_t limit,
                            absl::FunctionRef<void(RecordView)> visit) = 0;
  // Ends it well. The destructor ends it anyhow.
  virtual absl::Status Close() = 0;
};

struct PeerOpen {
  std::string directory;  // an empty folder of its own; network peers clear what they hold instead
  PeerDurability durability = PeerDurability::kNone;
  bool ascending = false;  // the load will be in key order: an append mode may be used
};

// A kind of store, as one row of the results.
struct Peer {
  std::string name;      // "lmdb", "postgresql copy"
  std::string settings;  // what was set, for the page
  bool ours = false;
  bool over_network = false;  // loopback
  // Fresh and empty.
  std::function<absl::StatusOr<std::unique_ptr<PeerStore>>(const PeerOpen&)> open;
  // Bytes on disc of what was just loaded, log or trail apart where the store has one.
  std::function<uint64_t(const PeerOpen&)> data_bytes;
  // Peak private memory in bytes of the server's processes, 0 in process.
  std::function<uint64_t()> server_memory;
};

// All peers this program was built with whose servers answer, ours first. What is missing, and why,
// goes to `missing`, a line each.
std::vector<Peer> FindPeers(std::vector<std::string>* missing);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_PEER_H_
