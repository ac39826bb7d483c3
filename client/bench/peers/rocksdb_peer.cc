// RocksDB.
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "client/bench/peers/errors.h"
#include "client/bench/peers/file_bytes.h"
#include "client/bench/peers/log_structured_store.h"
#include "client/bench/peers/peer.h"

namespace quire {
namespace bench {
namespace {

constexpr int kBackgroundJobs = 2;
constexpr absl::Duration kLookInterval = absl::Milliseconds(20);
constexpr int kLongestRest = 500;  // looks

struct Rocksdb {
  static constexpr std::string_view kName = kRocksdb;
  using Database = rocksdb::DB;
  using Options = rocksdb::Options;
  using Slice = rocksdb::Slice;
  using Status = rocksdb::Status;
  using Batch = rocksdb::WriteBatch;
  using WriteOptions = rocksdb::WriteOptions;
  using ReadOptions = rocksdb::ReadOptions;
  using Iterator = rocksdb::Iterator;
};

class RocksdbStore : public LogStructuredStore<Rocksdb> {
 public:
  static absl::StatusOr<std::unique_ptr<PeerStore>> Open(const PeerOpen& open, bool refuse) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.compression = rocksdb::kNoCompression;
    options.max_background_jobs = kBackgroundJobs;
    rocksdb::BlockBasedTableOptions table;
    table.block_cache = rocksdb::NewLRUCache(kLogStructuredCacheBytes);
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kLogStructuredBloomBits));
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    std::unique_ptr<RocksdbStore> store(new RocksdbStore(open.durability, refuse));
    absl::Status status = store->LogStructuredStore::Open(options, open.directory);
    if (!status.ok()) return status;
    return store;
  }

  absl::Status Settle() override {
    if (absl::Status s = StatusOf("Flush", database_->Flush(rocksdb::FlushOptions())); !s.ok()) {
      return s;
    }
    return StatusOf("FlushWAL", database_->FlushWAL(/*sync=*/true));
  }
  void Rest() override {
    for (int look = 0; look < kLongestRest; ++look) {
      uint64_t running = 0;
      uint64_t pending = 0;
      database_->GetIntProperty(rocksdb::DB::Properties::kNumRunningCompactions, &running);
      database_->GetIntProperty(rocksdb::DB::Properties::kCompactionPending, &pending);
      if (running + pending == 0) return;
      absl::SleepFor(kLookInterval);
    }
  }
  absl::Status Read(std::string_view key, std::string* record) override {
    rocksdb::PinnableSlice found;
    const rocksdb::Status read = Find(key, &found);
    if (read.ok()) record->assign(ViewOf(found));
    return StatusOf("Get", read);
  }
  absl::Status Close() override { return StatusOf("Close", database_->Close()); }

 private:
  RocksdbStore(PeerDurability durability, bool refuse)
      : LogStructuredStore(durability), refuse_(refuse) {}

  rocksdb::Status Find(std::string_view key, rocksdb::PinnableSlice* found) {
    return database_->Get({}, database_->DefaultColumnFamily(), SliceOf(key), found);
  }
  absl::Status BeforeInsert(std::string_view key) override {
    if (!refuse_) return absl::OkStatus();
    rocksdb::PinnableSlice found;
    const rocksdb::Status status = Find(key, &found);
    if (status.IsNotFound()) return absl::OkStatus();
    return status.ok() ? PeerRefused(kRocksdb, "Write", "the key is there already")
                       : StatusOf("Get", status);
  }

  const bool refuse_;
};

uint64_t DataBytes(const PeerOpen& open) {
  return FileBytes(open.directory, ".sst");
}

}  // namespace

std::vector<Peer> RocksdbPeers() {
  return {
      {.name = kRocksdb,
       .settings =
           "no compression, block cache 1 GiB, bloom filter of 10 bits, 2 background jobs, "
           "log on; loads in batches of 1,000, then Flush and FlushWAL; a key that is there "
           "already would not be noticed",
       .open = [](const PeerOpen& open) { return RocksdbStore::Open(open, /*refuse=*/false); },
       .data_bytes = DataBytes},
      {.name = "rocksdb, refusing",
       .settings = "the same with a Get before each Put, as an insert needs",
       .open = [](const PeerOpen& open) { return RocksdbStore::Open(open, /*refuse=*/true); },
       .data_bytes = DataBytes,
       .works = {Work::kLoadAscending, Work::kLoadRuns, Work::kLoadShuffled}},
  };
}

}  // namespace bench
}  // namespace quire
