// LevelDB.
#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/write_batch.h>

#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "client/bench/peers/file_bytes.h"
#include "client/bench/peers/log_structured_store.h"
#include "client/bench/peers/peer.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kWriteBufferBytes = size_t{64} << 20;
// It does not tell when its compactions have ended.
constexpr absl::Duration kRest = absl::Seconds(2);

struct Leveldb {
  static constexpr std::string_view kName = kLeveldb;
  using Database = leveldb::DB;
  using Options = leveldb::Options;
  using Slice = leveldb::Slice;
  using Status = leveldb::Status;
  using Batch = leveldb::WriteBatch;
  using WriteOptions = leveldb::WriteOptions;
  using ReadOptions = leveldb::ReadOptions;
  using Iterator = leveldb::Iterator;
};

class LeveldbStore : public LogStructuredStore<Leveldb> {
 public:
  static absl::StatusOr<std::unique_ptr<PeerStore>> Open(const PeerOpen& open) {
    std::unique_ptr<LeveldbStore> store(new LeveldbStore(open));
    leveldb::Options options;
    options.create_if_missing = true;
    options.compression = leveldb::kNoCompression;
    options.block_cache = store->cache_.get();
    options.filter_policy = store->filter_.get();
    options.write_buffer_size = kWriteBufferBytes;
    absl::Status status = store->LogStructuredStore::Open(options, open.directory);
    if (!status.ok()) return status;
    return store;
  }
  // Before cache and filter, which it uses.
  ~LeveldbStore() override { database_.reset(); }

  // It has no flush to call: a synced empty batch makes its log durable, but not the log before,
  // which is all there is of a memory table that is still being written.
  absl::Status Settle() override {
    leveldb::WriteBatch nothing;
    leveldb::WriteOptions synced;
    synced.sync = true;
    absl::Status status = StatusOf("Write", database_->Write(synced, &nothing));
    return status.ok() ? SyncFiles(directory_, ".log") : status;
  }
  void Rest() override {
    if (FileBytes(directory_, ".ldb") > 0) absl::SleepFor(kRest);
  }
  absl::Status Read(std::string_view key, std::string* record) override {
    return StatusOf("Get", database_->Get({}, SliceOf(key), record));
  }
  absl::Status Close() override {
    database_.reset();
    return absl::OkStatus();
  }

 private:
  explicit LeveldbStore(const PeerOpen& open)
      : LogStructuredStore(open.durability),
        directory_(open.directory),
        cache_(leveldb::NewLRUCache(kLogStructuredCacheBytes)),
        filter_(leveldb::NewBloomFilterPolicy(kLogStructuredBloomBits)) {}

  const std::string directory_;
  const std::unique_ptr<leveldb::Cache> cache_;
  const std::unique_ptr<const leveldb::FilterPolicy> filter_;
};

}  // namespace

std::vector<Peer> LeveldbPeers() {
  return {
      {.name = kLeveldb,
       .settings =
           "no compression, block cache 1 GiB, write buffer 64 MiB, bloom filter of 10 bits; "
           "loads in batches of 1,000, then its logs synced, for it has no flush to call: what "
           "is settled lies in part in the log; a key that is there already would not be "
           "noticed",
       .open = LeveldbStore::Open,
       // The last of the load is in the log, which counts here.
       .data_bytes =
           [](const PeerOpen& open) {
             return FileBytes(open.directory, ".ldb") + FileBytes(open.directory, ".log");
           }},
  };
}

}  // namespace bench
}  // namespace quire
