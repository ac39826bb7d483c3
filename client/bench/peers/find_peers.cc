#include "client/bench/peers/peer.h"

namespace quire {
namespace bench {
namespace {

void Append(std::vector<Peer> more, std::vector<Peer>* peers) {
  for (Peer& peer : more) peers->push_back(std::move(peer));
}

[[maybe_unused]] void NotBuiltIn(const char* what, std::vector<std::string>* missing) {
  missing->push_back(std::string(what) + ": not built in (cmake -DQUIRE_BENCH_PEERS=ON with " +
                     "its library installed)");
}

}  // namespace

std::vector<Peer> FindPeers(std::vector<std::string>* missing) {
  std::vector<Peer> peers = QuirePeers();
  Append(LmdbPeers(), &peers);
#ifdef QUIRE_PEER_ROCKSDB
  Append(RocksdbPeers(), &peers);
#else
  NotBuiltIn(kRocksdb, missing);
#endif
#ifdef QUIRE_PEER_LEVELDB
  Append(LeveldbPeers(), &peers);
#else
  NotBuiltIn(kLeveldb, missing);
#endif
#ifdef QUIRE_PEER_WIREDTIGER
  Append(WiredtigerPeers(), &peers);
#else
  NotBuiltIn(kWiredtiger, missing);
#endif
#ifdef QUIRE_PEER_BERKELEY_DB
  Append(BerkeleyDbPeers(), &peers);
#else
  NotBuiltIn(kBerkeleyDb, missing);
#endif
#ifdef QUIRE_PEER_SQLITE
  Append(SqlitePeers(), &peers);
#else
  NotBuiltIn(kSqlite, missing);
#endif
#ifdef QUIRE_PEER_POSTGRESQL
  Append(PostgresqlPeers(missing), &peers);
#else
  NotBuiltIn(kPostgresql, missing);
#endif
#ifdef QUIRE_PEER_REDIS
  Append(RedisPeers(missing), &peers);
#else
  NotBuiltIn("redis", missing);
#endif
  return peers;
}

}  // namespace bench
}  // namespace quire
