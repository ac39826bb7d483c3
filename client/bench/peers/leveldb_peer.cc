// LevelDB: the key as key and the whole record as value.
#include <leveldb/cache.h>
#include <leveldb/db.h>
#include <leveldb/filter_policy.h>
#include <leveldb/write_batch.h>

#include <algorithm>
#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "client/bench/peers/errors.h"
#include "client/bench/peers/file_bytes.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kCacheBytes = size_t{1} << 30;
constexpr size_t kWriteBufferBytes = size_t{64} << 20;
constexpr int kBloomBits = 10;
constexpr size_t kBatch = 1000;  // of a load; groups are smaller
// It does not tell when its compactions have ended.
constexpr absl::Duration kRest = absl::Seconds(2);

leveldb::Slice SliceOf(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}
RecordView ViewOf(const leveldb::Slice& slice) {
  return {slice.data(), slice.size()};
}

absl::Status StatusOf(std::string_view call, const leveldb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return status.IsNotFound() ? PeerHasNoRecord(kLeveldb)
                             : PeerRefused(kLeveldb, call, status.ToString());
}

class LeveldbStore : public PeerStore {
 public:
  static absl::StatusOr<std::unique_ptr<PeerStore>> Open(const PeerOpen& open) {
    std::unique_ptr<LeveldbStore> store(new LeveldbStore(open));
    leveldb::Options options;
    options.create_if_missing = true;
    options.compression = leveldb::kNoCompression;
    options.block_cache = store->cache_.get();
    options.filter_policy = store->filter_.get();
    options.write_buffer_size = kWriteBufferBytes;
    leveldb::DB* database = nullptr;
    if (absl::Status s = StatusOf("Open", leveldb::DB::Open(options, open.directory, &database));
        !s.ok()) {
      return s;
    }
    store->database_.reset(database);
    return store;
  }

  absl::Status Write(RecordView record) override {
    return StatusOf("Put", database_->Put(write_options_, SliceOf(KeyOf(record)), SliceOf(record)));
  }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    for (size_t start = 0; start < records.size(); start += kBatch) {
      const size_t end = std::min(records.size(), start + kBatch);
      batch_.Clear();
      for (size_t i = start; i < end; ++i) {
        batch_.Put(SliceOf(KeyOf(records[i])), SliceOf(records[i]));
      }
      if (absl::Status s = StatusOf("Write", database_->Write(write_options_, &batch_)); !s.ok()) {
        return s;
      }
    }
    return absl::OkStatus();
  }
  absl::Status Update(RecordView record) override { return Write(record); }
  // It has no flush to call: a synced empty batch makes its log durable.
  absl::Status Settle() override {
    batch_.Clear();
    leveldb::WriteOptions synced;
    synced.sync = true;
    return StatusOf("Write", database_->Write(synced, &batch_));
  }
  void Rest() override {
    if (FileBytes(directory_, ".ldb") > 0) absl::SleepFor(kRest);
  }

  absl::Status Read(std::string_view key, std::string* record) override {
    return StatusOf("Get", database_->Get({}, SliceOf(key), record));
  }
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    const std::unique_ptr<leveldb::Iterator> at(database_->NewIterator({}));
    std::string record;
    uint64_t count = 0;
    for (at->Seek(SliceOf(start)); at->Valid() && count < limit; at->Next(), ++count) {
      record.assign(ViewOf(at->value()));
      visit(record);
    }
    return StatusOf("Iterator", at->status());
  }
  absl::Status Close() override {
    database_.reset();
    return absl::OkStatus();
  }

 private:
  explicit LeveldbStore(const PeerOpen& open)
      : directory_(open.directory),
        cache_(leveldb::NewLRUCache(kCacheBytes)),
        filter_(leveldb::NewBloomFilterPolicy(kBloomBits)) {
    write_options_.sync = open.durability != PeerDurability::kNone;
  }

  const std::string directory_;
  const std::unique_ptr<leveldb::Cache> cache_;
  const std::unique_ptr<const leveldb::FilterPolicy> filter_;
  leveldb::WriteOptions write_options_;
  leveldb::WriteBatch batch_;
  std::unique_ptr<leveldb::DB> database_;  // goes before cache and filter
};

}  // namespace

std::vector<Peer> LeveldbPeers() {
  return {
      {.name = kLeveldb,
       .settings =
           "no compression, block cache 1 GiB, write buffer 64 MiB, bloom filter of 10 bits; "
           "loads in batches of 1,000, then its log synced, for it has no flush to call: what "
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
