// RocksDB: the key as key and the whole record as value.
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

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
constexpr double kBloomBits = 10;
constexpr int kBackgroundJobs = 2;
constexpr size_t kBatch = 1000;  // of a load; groups are smaller
constexpr absl::Duration kLookInterval = absl::Milliseconds(20);
constexpr int kLongestRest = 500;  // looks

rocksdb::Slice SliceOf(std::string_view bytes) {
  return {bytes.data(), bytes.size()};
}
RecordView ViewOf(const rocksdb::Slice& slice) {
  return {slice.data(), slice.size()};
}

absl::Status StatusOf(std::string_view call, const rocksdb::Status& status) {
  if (status.ok()) return absl::OkStatus();
  return status.IsNotFound() ? PeerHasNoRecord(kRocksdb)
                             : PeerRefused(kRocksdb, call, status.ToString());
}

class RocksdbStore : public PeerStore {
 public:
  static absl::StatusOr<std::unique_ptr<PeerStore>> Open(const PeerOpen& open, bool refuse) {
    rocksdb::Options options;
    options.create_if_missing = true;
    options.compression = rocksdb::kNoCompression;
    options.max_background_jobs = kBackgroundJobs;
    rocksdb::BlockBasedTableOptions table;
    table.block_cache = rocksdb::NewLRUCache(kCacheBytes);
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kBloomBits));
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    rocksdb::DB* database = nullptr;
    if (absl::Status s = StatusOf("Open", rocksdb::DB::Open(options, open.directory, &database));
        !s.ok()) {
      return s;
    }
    return std::unique_ptr<PeerStore>(new RocksdbStore(open.durability, refuse, database));
  }

  absl::Status Write(RecordView record) override { return WritePiece(&record, 1); }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    for (size_t start = 0; start < records.size(); start += kBatch) {
      const size_t count = std::min(kBatch, records.size() - start);
      if (absl::Status s = WritePiece(&records[start], count); !s.ok()) return s;
    }
    return absl::OkStatus();
  }
  absl::Status Update(RecordView record) override {
    return StatusOf("Put", database_->Put(write_options_, SliceOf(KeyOf(record)), SliceOf(record)));
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
    const rocksdb::Status read =
        database_->Get({}, database_->DefaultColumnFamily(), SliceOf(key), &found);
    if (read.ok()) record->assign(ViewOf(found));
    return StatusOf("Get", read);
  }
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    const std::unique_ptr<rocksdb::Iterator> at(database_->NewIterator({}));
    std::string record;
    uint64_t count = 0;
    for (at->Seek(SliceOf(start)); at->Valid() && count < limit; at->Next(), ++count) {
      record.assign(ViewOf(at->value()));
      visit(record);
    }
    return StatusOf("Iterator", at->status());
  }
  absl::Status Close() override { return StatusOf("Close", database_->Close()); }

 private:
  RocksdbStore(PeerDurability durability, bool refuse, rocksdb::DB* database)
      : refuse_(refuse), database_(database) {
    write_options_.sync = durability != PeerDurability::kNone;
  }

  absl::Status WritePiece(const RecordView* records, size_t count) {
    batch_.Clear();
    for (size_t i = 0; i < count; ++i) {
      if (refuse_) {
        rocksdb::PinnableSlice found;
        if (database_->Get({}, database_->DefaultColumnFamily(), SliceOf(KeyOf(records[i])), &found)
                .ok()) {
          return PeerRefused(kRocksdb, "Write", "the key is there already");
        }
      }
      batch_.Put(SliceOf(KeyOf(records[i])), SliceOf(records[i]));
    }
    return StatusOf("Write", database_->Write(write_options_, &batch_));
  }

  const bool refuse_;
  const std::unique_ptr<rocksdb::DB> database_;
  rocksdb::WriteOptions write_options_;
  rocksdb::WriteBatch batch_;
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
