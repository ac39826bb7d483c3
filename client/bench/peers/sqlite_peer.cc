// SQLite: one table WITHOUT ROWID, the key as BLOB PRIMARY KEY.
#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <string>

#include "client/bench/peers/errors.h"
#include "client/bench/peers/file_bytes.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

// Small pages for small synced changes, large ones for everything else: each the faster there.
constexpr int kDurablePageBytes = 4096;
constexpr int kPageBytes = 16384;
constexpr size_t kLoadTransaction = 1000;
constexpr char kFile[] = "records.db";

class SqliteStore : public PeerStore {
 public:
  static absl::StatusOr<std::unique_ptr<PeerStore>> Open(const PeerOpen& open) {
    std::unique_ptr<SqliteStore> store(new SqliteStore());
    const bool durable = open.durability != PeerDurability::kNone;
    if (absl::Status s = store->OpenIn(StrCat(open.directory, "/", kFile), durable); !s.ok()) {
      return s;
    }
    return store;
  }
  ~SqliteStore() override { CloseAll(); }

  absl::Status Write(RecordView record) override { return InTransaction(insert_, &record, 1); }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    for (size_t start = 0; start < records.size(); start += kLoadTransaction) {
      const size_t count = std::min(kLoadTransaction, records.size() - start);
      if (absl::Status s = InTransaction(insert_, &records[start], count); !s.ok()) return s;
    }
    return absl::OkStatus();
  }
  absl::Status Update(RecordView record) override { return InTransaction(update_, &record, 1); }
  absl::Status Settle() override {
    if (absl::Status s = Execute("PRAGMA synchronous=FULL"); !s.ok()) return s;
    return Execute("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  absl::Status Read(std::string_view key, std::string* record) override {
    BindBlob(select_, 1, key);
    const int code = sqlite3_step(select_);
    if (code == SQLITE_ROW) record->assign(Column(select_));
    sqlite3_reset(select_);
    if (code == SQLITE_ROW) return absl::OkStatus();
    return code == SQLITE_DONE ? PeerHasNoRecord(kSqlite) : Refused("SELECT");
  }
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    BindBlob(scan_, 1, start);
    std::string record;
    int code = SQLITE_ROW;
    for (uint64_t i = 0; i < limit && (code = sqlite3_step(scan_)) == SQLITE_ROW; ++i) {
      record.assign(Column(scan_));
      visit(record);
    }
    sqlite3_reset(scan_);
    return code == SQLITE_ROW || code == SQLITE_DONE ? absl::OkStatus() : Refused("SELECT");
  }
  absl::Status Close() override {
    return CloseAll() == SQLITE_OK ? absl::OkStatus() : Refused("close");
  }

 private:
  SqliteStore() = default;

  absl::Status Refused(std::string_view call) {
    return PeerRefused(kSqlite, call, sqlite3_errmsg(database_));
  }
  absl::Status Execute(const std::string& text) {
    return sqlite3_exec(database_, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK
               ? absl::OkStatus()
               : Refused(text);
  }
  absl::Status Prepare(const char* text, sqlite3_stmt** statement) {
    return sqlite3_prepare_v2(database_, text, -1, statement, nullptr) == SQLITE_OK
               ? absl::OkStatus()
               : Refused(text);
  }

  absl::Status OpenIn(const std::string& path, bool durable) {
    if (sqlite3_open(path.c_str(), &database_) != SQLITE_OK) return Refused("open");
    for (const std::string& text :
         {StrCat("PRAGMA page_size=", durable ? kDurablePageBytes : kPageBytes),
          std::string("PRAGMA journal_mode=WAL"), std::string("PRAGMA cache_size=-1048576"),
          std::string("PRAGMA mmap_size=2147483648"),
          StrCat("PRAGMA synchronous=", durable ? "FULL" : "OFF"),
          std::string("CREATE TABLE records(k BLOB PRIMARY KEY, v BLOB NOT NULL) WITHOUT ROWID")}) {
      if (absl::Status s = Execute(text); !s.ok()) return s;
    }
    const std::pair<const char*, sqlite3_stmt**> statements[] = {
        {"INSERT INTO records VALUES(?,?)", &insert_},
        {"UPDATE records SET v=?2 WHERE k=?1", &update_},
        {"SELECT v FROM records WHERE k=?", &select_},
        {"SELECT v FROM records WHERE k>=? ORDER BY k", &scan_},
        {"BEGIN IMMEDIATE", &begin_},
        {"COMMIT", &commit_},
        {"ROLLBACK", &rollback_},
    };
    for (const auto& [text, statement] : statements) {
      if (absl::Status s = Prepare(text, statement); !s.ok()) return s;
    }
    return absl::OkStatus();
  }

  static void BindBlob(sqlite3_stmt* statement, int place, std::string_view bytes) {
    // A null pointer would bind NULL, which nothing is greater than.
    sqlite3_bind_blob(statement, place, bytes.empty() ? "" : bytes.data(),
                      static_cast<int>(bytes.size()), nullptr);
  }
  static RecordView Column(sqlite3_stmt* statement) {
    const char* const bytes = static_cast<const char*>(sqlite3_column_blob(statement, 0));
    return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement, 0))};
  }
  bool Step(sqlite3_stmt* statement) {
    const bool done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return done;
  }

  absl::Status InTransaction(sqlite3_stmt* change, const RecordView* records, size_t count) {
    if (!Step(begin_)) return Refused("BEGIN");
    for (size_t i = 0; i < count; ++i) {
      BindBlob(change, 1, KeyOf(records[i]));
      BindBlob(change, 2, records[i]);
      if (Step(change)) continue;
      const absl::Status refused = Refused("change");
      Step(rollback_);
      return refused;
    }
    return Step(commit_) ? absl::OkStatus() : Refused("COMMIT");
  }

  int CloseAll() {
    for (sqlite3_stmt** statement :
         {&insert_, &update_, &select_, &scan_, &begin_, &commit_, &rollback_}) {
      sqlite3_finalize(*statement);
      *statement = nullptr;
    }
    const int code = sqlite3_close(database_);
    if (code == SQLITE_OK) database_ = nullptr;
    return code;
  }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  sqlite3_stmt* update_ = nullptr;
  sqlite3_stmt* select_ = nullptr;
  sqlite3_stmt* scan_ = nullptr;
  sqlite3_stmt* begin_ = nullptr;
  sqlite3_stmt* commit_ = nullptr;
  sqlite3_stmt* rollback_ = nullptr;
};

}  // namespace

std::vector<Peer> SqlitePeers() {
  return {
      {.name = kSqlite,
       .settings = "WITHOUT ROWID, BLOB key, WAL, cache 1 GiB, mmap 2 GiB; durable work: pages of "
                   "4 KiB, synchronous=FULL; the rest: pages of 16 KiB, synchronous=OFF, loads in "
                   "transactions of 1,000, then FULL and checkpoint(TRUNCATE)",
       .open = SqliteStore::Open,
       .data_bytes = [](const PeerOpen& open) { return FileBytes(open.directory, kFile); }},
  };
}

}  // namespace bench
}  // namespace quire
