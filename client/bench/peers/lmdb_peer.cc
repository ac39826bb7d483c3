// LMDB: one environment, the key as key and the whole record as value.
#include <lmdb.h>

#include "client/bench/peers/errors.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"
#include "client/bench/process_figures.h"

namespace quire {
namespace bench {
namespace {

constexpr size_t kMapBytes = size_t{64} << 30;  // address space alone

MDB_val ValueOf(std::string_view bytes) {
  return {bytes.size(), const_cast<char*>(bytes.data())};
}
RecordView ViewOf(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

absl::Status Refused(std::string_view call, int code) {
  return code == MDB_NOTFOUND ? PeerHasNoRecord(kLmdb)
                              : PeerRefused(kLmdb, call, mdb_strerror(code));
}

class LmdbStore : public PeerStore {
 public:
  static absl::StatusOr<std::unique_ptr<PeerStore>> Open(const PeerOpen& open, bool append) {
    std::unique_ptr<LmdbStore> store(new LmdbStore(open.durability, append));
    if (absl::Status s = store->OpenIn(open.directory); !s.ok()) return s;
    return store;
  }
  ~LmdbStore() override {
    if (reader_ != nullptr) mdb_txn_abort(reader_);
    mdb_env_close(environment_);
  }

  absl::Status Write(RecordView record) override {
    return InTransaction([&](MDB_txn* transaction) {
      return Put(transaction, record, append_ ? MDB_APPEND : MDB_NOOVERWRITE);
    });
  }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    return InTransaction([&](MDB_txn* transaction) {
      for (const RecordView record : records) {
        const int code = Put(transaction, record, append_ ? MDB_APPEND : MDB_NOOVERWRITE);
        if (code != 0) return code;
      }
      return 0;
    });
  }
  absl::Status Update(RecordView record) override {
    return InTransaction([&](MDB_txn* transaction) { return Put(transaction, record, 0); });
  }
  absl::Status Settle() override {
    const int code = mdb_env_sync(environment_, 1);
    return code == 0 ? absl::OkStatus() : Refused("mdb_env_sync", code);
  }

  absl::Status Read(std::string_view key, std::string* record) override {
    if (absl::Status s = BeginRead(); !s.ok()) return s;
    MDB_val wanted = ValueOf(key);
    MDB_val found;
    const int code = mdb_get(reader_, table_, &wanted, &found);
    if (code == 0) record->assign(ViewOf(found));
    mdb_txn_reset(reader_);
    return code == 0 ? absl::OkStatus() : Refused("mdb_get", code);
  }

  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    if (absl::Status s = BeginRead(); !s.ok()) return s;
    MDB_cursor* cursor = nullptr;
    int code = mdb_cursor_open(reader_, table_, &cursor);
    MDB_val key = ValueOf(start);
    MDB_val found;
    std::string record;
    MDB_cursor_op step = start.empty() ? MDB_FIRST : MDB_SET_RANGE;
    for (uint64_t i = 0; code == 0 && i < limit; ++i) {
      code = mdb_cursor_get(cursor, &key, &found, step);
      if (code != 0) break;
      step = MDB_NEXT;
      record.assign(ViewOf(found));
      visit(record);
    }
    if (cursor != nullptr) mdb_cursor_close(cursor);
    mdb_txn_reset(reader_);
    return code == 0 || code == MDB_NOTFOUND ? absl::OkStatus() : Refused("mdb_cursor_get", code);
  }

  absl::Status Close() override { return absl::OkStatus(); }

 private:
  LmdbStore(PeerDurability durability, bool append) : durability_(durability), append_(append) {}

  absl::Status OpenIn(const std::string& directory) {
    int code = mdb_env_create(&environment_);
    if (code == 0) code = mdb_env_set_mapsize(environment_, kMapBytes);
    // Nothing to be durable before Settle: then a commit needs no sync.
    const unsigned flags = durability_ == PeerDurability::kNone ? MDB_NOSYNC : 0;
    if (code == 0) code = mdb_env_open(environment_, directory.c_str(), flags, 0644);
    MDB_txn* transaction = nullptr;
    if (code == 0) code = mdb_txn_begin(environment_, nullptr, 0, &transaction);
    if (code == 0) code = mdb_dbi_open(transaction, nullptr, MDB_CREATE, &table_);
    if (code == 0) code = mdb_txn_commit(transaction);
    return code == 0 ? absl::OkStatus() : Refused("open", code);
  }

  template <typename Change>
  absl::Status InTransaction(Change change) {
    MDB_txn* transaction = nullptr;
    int code = mdb_txn_begin(environment_, nullptr, 0, &transaction);
    if (code != 0) return Refused("mdb_txn_begin", code);
    code = change(transaction);
    if (code != 0) {
      mdb_txn_abort(transaction);
      return Refused("mdb_put", code);
    }
    code = mdb_txn_commit(transaction);
    return code == 0 ? absl::OkStatus() : Refused("mdb_txn_commit", code);
  }

  int Put(MDB_txn* transaction, RecordView record, unsigned flags) {
    MDB_val key = ValueOf(KeyOf(record));
    MDB_val value = ValueOf(record);
    return mdb_put(transaction, table_, &key, &value, flags);
  }

  absl::Status BeginRead() {
    const int code = reader_ == nullptr ? mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &reader_)
                                        : mdb_txn_renew(reader_);
    return code == 0 ? absl::OkStatus() : Refused("mdb_txn_renew", code);
  }

  const PeerDurability durability_;
  const bool append_;
  MDB_env* environment_ = nullptr;
  MDB_txn* reader_ = nullptr;  // reset between reads
  MDB_dbi table_ = 0;
};

uint64_t DataBytes(const PeerOpen& open) {
  return DirectoryBytes(open.directory);  // it has no log
}

}  // namespace

std::vector<Peer> LmdbPeers() {
  return {
      {.name = kLmdb,
       .settings =
           "a load is one transaction; MDB_NOOVERWRITE; MDB_NOSYNC where nothing durable is "
           "asked for before the end",
       .open = [](const PeerOpen& open) { return LmdbStore::Open(open, /*append=*/false); },
       .data_bytes = DataBytes},
      {.name = "lmdb append",
       .settings = "the same with MDB_APPEND, which only rising keys allow",
       .open = [](const PeerOpen& open) { return LmdbStore::Open(open, /*append=*/true); },
       .data_bytes = DataBytes,
       .works = {Work::kLoadAscending}},
  };
}

}  // namespace bench
}  // namespace quire
