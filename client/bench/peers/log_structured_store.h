// What LevelDB and RocksDB do alike: RocksDB grew out of LevelDB and kept the shape of its calls.
// The key as key and the whole record as value; a load is written in batches.
//
// An Engine names one of the two: its types Database, Slice, Status, Batch, WriteOptions,
// ReadOptions and Iterator, and kName, its row. How it is opened, settled, rested and closed is
// the derived class's, and whether an insert looks for its key first.
#ifndef QUIRE_CLIENT_BENCH_PEERS_LOG_STRUCTURED_STORE_H_
#define QUIRE_CLIENT_BENCH_PEERS_LOG_STRUCTURED_STORE_H_

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/bench/peers/errors.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {

inline constexpr size_t kLogStructuredCacheBytes = size_t{1} << 30;
inline constexpr int kLogStructuredBloomBits = 10;
inline constexpr size_t kLogStructuredBatch = 1000;  // records, of a load; groups are smaller

template <typename Engine>
class LogStructuredStore : public PeerStore {
 public:
  absl::Status Write(RecordView record) override { return WritePiece(&record, 1); }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    for (size_t start = 0; start < records.size(); start += kLogStructuredBatch) {
      const size_t count = std::min(kLogStructuredBatch, records.size() - start);
      if (absl::Status s = WritePiece(&records[start], count); !s.ok()) return s;
    }
    return absl::OkStatus();
  }
  absl::Status Update(RecordView record) override {
    return StatusOf("Put", database_->Put(write_options_, SliceOf(KeyOf(record)), SliceOf(record)));
  }
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    const std::unique_ptr<typename Engine::Iterator> at(
        database_->NewIterator(typename Engine::ReadOptions()));
    std::string record;
    uint64_t count = 0;
    for (at->Seek(SliceOf(start)); at->Valid() && count < limit; at->Next(), ++count) {
      record.assign(ViewOf(at->value()));
      visit(record);
    }
    return StatusOf("Iterator", at->status());
  }

 protected:
  using Slice = typename Engine::Slice;

  explicit LogStructuredStore(PeerDurability durability) {
    write_options_.sync = durability != PeerDurability::kNone;
  }

  static Slice SliceOf(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
  static RecordView ViewOf(const Slice& slice) { return {slice.data(), slice.size()}; }
  // 11 when it found nothing; else what the engine says, with the call's name.
  static absl::Status StatusOf(std::string_view call, const typename Engine::Status& status) {
    if (status.ok()) return absl::OkStatus();
    return status.IsNotFound() ? PeerHasNoRecord(Engine::kName)
                               : PeerRefused(Engine::kName, call, status.ToString());
  }

  absl::Status Open(const typename Engine::Options& options, const std::string& directory) {
    typename Engine::Database* database = nullptr;
    absl::Status status = StatusOf("Open", Engine::Database::Open(options, directory, &database));
    if (status.ok()) database_.reset(database);
    return status;
  }
  // Before a key is inserted; not before it is updated.
  virtual absl::Status BeforeInsert(std::string_view /*key*/) { return absl::OkStatus(); }

  std::unique_ptr<typename Engine::Database> database_;
  typename Engine::WriteOptions write_options_;

 private:
  absl::Status WritePiece(const RecordView* records, size_t count) {
    batch_.Clear();
    for (size_t i = 0; i < count; ++i) {
      const std::string_view key = KeyOf(records[i]);
      if (absl::Status s = BeforeInsert(key); !s.ok()) return s;
      batch_.Put(SliceOf(key), SliceOf(records[i]));
    }
    return StatusOf("Write", database_->Write(write_options_, &batch_));
  }

  typename Engine::Batch batch_;
};

}  // namespace bench
}  // namespace quire

#endif  // QUIRE_CLIENT_BENCH_PEERS_LOG_STRUCTURED_STORE_H_
