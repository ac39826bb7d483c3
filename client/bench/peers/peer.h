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
#include "client/bench/peers/work.h"

namespace quire {
namespace bench {

// What is on disc when a write call returns. One store is opened once and does everything under
// one of these.
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
  // Gives work in the background the time to end, at most some seconds. Not timed: reads begin
  // behind it.
  virtual void Rest() {}
  // Copies the record out into `record`. 11 when there is none.
  virtual absl::Status Read(std::string_view key, std::string* record) = 0;
  // Reads many (at most 1,024) by key; visits them in the order of the keys given. The best way of
  // this store: over a connection in groups of 64, sent before the answers are taken. The default
  // reads one by one.
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
  uint64_t records = 0;  // MadeRecords that will be loaded: for stores parted by key ranges
};

// A kind of store, as one row of the results.
struct Peer {
  std::string name;      // one of those below
  std::string settings;  // what was set, for the page
  bool ours = false;
  bool over_network = false;  // loopback
  // Fresh and empty.
  std::function<absl::StatusOr<std::unique_ptr<PeerStore>>(const PeerOpen&)> open;
  // Bytes on disc of what was just loaded and settled, log or trail apart where the store has one.
  // Called while the store is open.
  std::function<uint64_t(const PeerOpen&)> data_bytes;
  // Peak private memory in bytes (R-D5) of the server's processes since `open`; empty: in process.
  std::function<uint64_t()> server_memory = {};
  // What it takes part in; empty: all. A row that is a second way into the same store (COPY, an
  // append mode) names what it is for.
  std::vector<Work> works = {};
};

// Rows that goals speak of.
inline constexpr char kQuireEmbedded[] = "quire embedded";
inline constexpr char kQuireSession[] = "quire session";
inline constexpr char kQuireUnary[] = "quire unary";
inline constexpr char kQuireLoad[] = "quire load";  // loads alone, by the Load call
inline constexpr char kLmdb[] = "lmdb";
inline constexpr char kBerkeleyDb[] = "berkeley db";
inline constexpr char kRocksdb[] = "rocksdb";
inline constexpr char kLeveldb[] = "leveldb";
inline constexpr char kWiredtiger[] = "wiredtiger";
inline constexpr char kSqlite[] = "sqlite";
// Prepared statements; groups and reads pipelined by 64; scan by COPY out.
inline constexpr char kPostgresql[] = "postgresql";
inline constexpr char kPostgresqlCopy[] = "postgresql copy";  // COPY BINARY in: loads alone
inline constexpr char kRedisAlways[] = "redis always";        // durable work
inline constexpr char kRedisEverysec[] = "redis everysec";    // the rest

// All peers this program was built with whose servers answer, ours first. What is missing, and why,
// goes to `missing`, a line each. (find_peers.cc)
std::vector<Peer> FindPeers(std::vector<std::string>* missing);

// The stores of one library each; those built in depend on QUIRE_BENCH_PEERS.
std::vector<Peer> QuirePeers();
std::vector<Peer> LmdbPeers();
std::vector<Peer> BerkeleyDbPeers();
std::vector<Peer> RocksdbPeers();
std::vector<Peer> LeveldbPeers();
std::vector<Peer> WiredtigerPeers();
std::vector<Peer> SqlitePeers();
// Empty, with a line in `missing`, when no server answers.
std::vector<Peer> PostgresqlPeers(std::vector<std::string>* missing);
std::vector<Peer> RedisPeers(std::vector<std::string>* missing);

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_PEER_H_
