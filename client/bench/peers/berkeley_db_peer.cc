// Berkeley DB: a B-tree with log and locks, as one database and parted by key ranges.
#include <db.h>

#include <algorithm>
#include <memory>
#include <string>

#include "client/bench/made_records.h"
#include "client/bench/peers/errors.h"
#include "client/bench/peers/file_bytes.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {
namespace {

constexpr uint32_t kCacheGigabytes = 1;
constexpr uint32_t kLogBufferBytes = 4 << 20;
constexpr uint32_t kLogFileBytes = 64 << 20;
constexpr uint32_t kLocks = 20000;
constexpr uint32_t kPageBytes = 4096;
constexpr uint32_t kPartitions = 11;  // as the article's file C
constexpr size_t kLoadTransaction = 1000;
constexpr char kFile[] = "records.db";

absl::Status StatusOf(std::string_view call, int code) {
  if (code == 0) return absl::OkStatus();
  return code == DB_NOTFOUND ? PeerHasNoRecord(kBerkeleyDb)
                             : PeerRefused(kBerkeleyDb, call, db_strerror(code));
}

DBT EntryOf(std::string_view bytes) {
  DBT entry = {};
  entry.data = const_cast<char*>(bytes.data());
  entry.size = static_cast<uint32_t>(bytes.size());
  return entry;
}

// Where the library puts what it found.
DBT RoomIn(std::string* bytes) {
  DBT entry = {};
  entry.data = bytes->data();
  entry.ulen = static_cast<uint32_t>(bytes->size());
  entry.flags = DB_DBT_USERMEM;
  return entry;
}

class BerkeleyDbStore : public PeerStore {
 public:
  static absl::StatusOr<std::unique_ptr<PeerStore>> Open(const PeerOpen& open,
                                                         uint32_t partitions) {
    std::unique_ptr<BerkeleyDbStore> store(new BerkeleyDbStore(open));
    int code = store->OpenEnvironment(open.directory);
    if (code == 0) code = store->OpenDatabase(open.records, partitions);
    if (code != 0) return StatusOf("open", code);
    return store;
  }
  ~BerkeleyDbStore() override { CloseAll(); }

  absl::Status Write(RecordView record) override {
    return InTransaction(&record, 1, DB_NOOVERWRITE);
  }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    for (size_t start = 0; start < records.size(); start += kLoadTransaction) {
      const size_t count = std::min(kLoadTransaction, records.size() - start);
      if (absl::Status s = InTransaction(&records[start], count, DB_NOOVERWRITE); !s.ok()) return s;
    }
    return absl::OkStatus();
  }
  absl::Status Update(RecordView record) override { return InTransaction(&record, 1, 0); }
  absl::Status Settle() override {
    return StatusOf("txn_checkpoint", environment_->txn_checkpoint(environment_, 0, 0, DB_FORCE));
  }

  absl::Status Read(std::string_view key, std::string* record) override {
    DBT wanted = EntryOf(key);
    record->resize(MadeRecords::kRecordBytes);
    DBT found = RoomIn(record);
    return StatusOf("get", database_->get(database_, nullptr, &wanted, &found, 0));
  }
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    DBC* cursor = nullptr;
    int code = database_->cursor(database_, nullptr, &cursor, 0);
    if (code != 0) return StatusOf("cursor", code);
    std::string key(MadeRecords::kKeyBytes, '\0');
    std::copy(start.begin(), start.end(), key.begin());
    std::string record(MadeRecords::kRecordBytes, '\0');
    DBT key_room = RoomIn(&key);
    key_room.size = static_cast<uint32_t>(start.size());
    DBT record_room = RoomIn(&record);
    uint32_t step = start.empty() ? DB_FIRST : DB_SET_RANGE;
    for (uint64_t i = 0; code == 0 && i < limit; ++i) {
      code = cursor->get(cursor, &key_room, &record_room, step);
      if (code != 0) break;
      step = DB_NEXT;
      visit(RecordView(record).substr(0, record_room.size));
    }
    cursor->close(cursor);
    return code == DB_NOTFOUND ? absl::OkStatus() : StatusOf("cursor get", code);
  }
  absl::Status Close() override { return StatusOf("close", CloseAll()); }

 private:
  explicit BerkeleyDbStore(const PeerOpen& open)
      : durable_(open.durability != PeerDurability::kNone) {}

  int OpenEnvironment(const std::string& directory) {
    int code = db_env_create(&environment_, 0);
    if (code == 0) code = environment_->set_cachesize(environment_, kCacheGigabytes, 0, 1);
    if (code == 0) code = environment_->set_lg_bsize(environment_, kLogBufferBytes);
    if (code == 0) code = environment_->set_lg_max(environment_, kLogFileBytes);
    if (code == 0) code = environment_->set_lk_max_locks(environment_, kLocks);
    if (code == 0) code = environment_->set_lk_max_objects(environment_, kLocks);
    if (code == 0) {
      code = environment_->open(
          environment_, directory.c_str(),
          DB_CREATE | DB_PRIVATE | DB_INIT_MPOOL | DB_INIT_TXN | DB_INIT_LOG | DB_INIT_LOCK, 0644);
    }
    if (code == 0) {
      code = environment_->log_set_config(environment_, DB_LOG_AUTO_REMOVE, 1);
    }
    return code;
  }

  int OpenDatabase(uint64_t records, uint32_t partitions) {
    int code = db_create(&database_, environment_, 0);
    if (code == 0) code = database_->set_pagesize(database_, kPageBytes);
    if (code == 0 && partitions > 1) {
      // Ranges of as many records each. The library reads the keys while it opens.
      const MadeRecords made(records);
      for (uint32_t i = 1; i < partitions; ++i) {
        borders_.push_back(made.Key(records * i / partitions));
      }
      for (const std::string& border : borders_) border_entries_.push_back(EntryOf(border));
      code = database_->set_partition(database_, partitions, border_entries_.data(), nullptr);
    }
    if (code == 0) {
      code = database_->open(database_, nullptr, kFile, nullptr, DB_BTREE,
                             DB_CREATE | DB_AUTO_COMMIT, 0644);
    }
    return code;
  }

  int CloseAll() {
    int code = 0;
    if (database_ != nullptr) code = database_->close(database_, 0);
    database_ = nullptr;
    if (environment_ != nullptr) {
      const int closed = environment_->close(environment_, 0);
      if (code == 0) code = closed;
    }
    environment_ = nullptr;
    return code;
  }

  absl::Status InTransaction(const RecordView* records, size_t count, uint32_t flags) {
    DB_TXN* transaction = nullptr;
    int code = environment_->txn_begin(environment_, nullptr, &transaction, 0);
    if (code != 0) return StatusOf("txn_begin", code);
    for (size_t i = 0; i < count; ++i) {
      DBT key = EntryOf(KeyOf(records[i]));
      DBT value = EntryOf(records[i]);
      code = database_->put(database_, transaction, &key, &value, flags);
      if (code == 0) continue;
      transaction->abort(transaction);
      return StatusOf("put", code);
    }
    return StatusOf("commit",
                    transaction->commit(transaction, durable_ ? DB_TXN_SYNC : DB_TXN_NOSYNC));
  }

  const bool durable_;
  DB_ENV* environment_ = nullptr;
  DB* database_ = nullptr;
  std::vector<std::string> borders_;
  std::vector<DBT> border_entries_;
};

// Parts of a parted database lie in files of their own, whose names hold that of the whole.
uint64_t DataBytes(const PeerOpen& open) {
  return FileBytes(open.directory, kFile);
}
uint64_t PartedBytes(const PeerOpen& open) {
  uint64_t bytes = DataBytes(open);
  for (uint32_t i = 0; i < kPartitions; ++i) {
    const std::string number = std::to_string(i);
    bytes += FileBytes(open.directory,
                       std::string(kFile) + "." + std::string(3 - number.size(), '0') + number);
  }
  return bytes;
}

}  // namespace

std::vector<Peer> BerkeleyDbPeers() {
  return {
      {.name = kBerkeleyDb,
       .settings =
           "pages of 4 KiB, cache 1 GiB, log buffer 4 MiB, log and locks on, DB_NOOVERWRITE; "
           "loads in transactions of 1,000 not synced, then a forced checkpoint",
       .open = [](const PeerOpen& open) { return BerkeleyDbStore::Open(open, 1); },
       .data_bytes = DataBytes},
      {.name = "berkeley db, 11 partitions",
       .settings = "the same with set_partition, 11 ranges of as many records each",
       .open = [](const PeerOpen& open) { return BerkeleyDbStore::Open(open, kPartitions); },
       .data_bytes = PartedBytes},
  };
}

}  // namespace bench
}  // namespace quire
