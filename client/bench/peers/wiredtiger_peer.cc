// WiredTiger: one table, the key as key and the whole record as value.
#include <wiredtiger.h>

#include <algorithm>
#include <memory>
#include <string>

#include "client/bench/peers/errors.h"
#include "client/bench/peers/file_bytes.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"

namespace quire {
namespace bench {
namespace {

constexpr char kConnection[] =
    "create,cache_size=1GB,log=(enabled=true,file_max=64MB),"
    "transaction_sync=(enabled=false,method=fsync)";
constexpr char kTable[] = "table:records";
constexpr size_t kLoadTransaction = 1000;

absl::Status StatusOf(std::string_view call, int code) {
  if (code == 0) return absl::OkStatus();
  return code == WT_NOTFOUND ? PeerHasNoRecord(kWiredtiger)
                             : PeerRefused(kWiredtiger, call, wiredtiger_strerror(code));
}

WT_ITEM ItemOf(std::string_view bytes) {
  WT_ITEM item = {};
  item.data = bytes.data();
  item.size = bytes.size();
  return item;
}

class WiredtigerStore : public PeerStore {
 public:
  static absl::StatusOr<std::unique_ptr<PeerStore>> Open(const PeerOpen& open) {
    std::unique_ptr<WiredtigerStore> store(new WiredtigerStore(open.durability));
    if (absl::Status s = StatusOf("open", store->OpenIn(open.directory)); !s.ok()) return s;
    return store;
  }
  ~WiredtigerStore() override {
    if (connection_ != nullptr) connection_->close(connection_, nullptr);
  }

  absl::Status Write(RecordView record) override { return InTransaction(&record, 1, false); }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    // A durable group is one transaction; a load is cut.
    const size_t piece = durable_ ? records.size() : kLoadTransaction;
    for (size_t start = 0; start < records.size(); start += piece) {
      const size_t count = std::min(piece, records.size() - start);
      if (absl::Status s = InTransaction(&records[start], count, false); !s.ok()) return s;
    }
    return absl::OkStatus();
  }
  absl::Status Update(RecordView record) override { return InTransaction(&record, 1, true); }
  absl::Status Settle() override {
    return StatusOf("checkpoint", session_->checkpoint(session_, nullptr));
  }

  absl::Status Read(std::string_view key, std::string* record) override {
    WT_ITEM wanted = ItemOf(key);
    cursor_->set_key(cursor_, &wanted);
    int code = cursor_->search(cursor_);
    if (code == 0) code = TakeValue(record);
    return StatusOf("search", code);
  }
  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    int code = BeginScan(start);
    std::string record;
    for (uint64_t i = 0; code == 0 && i < limit; ++i) {
      code = TakeValue(&record);
      if (code != 0) break;
      visit(record);
      if (i + 1 < limit) code = cursor_->next(cursor_);
    }
    cursor_->reset(cursor_);
    return code == WT_NOTFOUND ? absl::OkStatus() : StatusOf("next", code);
  }
  absl::Status Close() override {
    WT_CONNECTION* const connection = connection_;
    connection_ = nullptr;
    return StatusOf("close", connection->close(connection, nullptr));
  }

 private:
  explicit WiredtigerStore(PeerDurability durability)
      : durable_(durability != PeerDurability::kNone) {}

  int OpenIn(const std::string& directory) {
    int code = wiredtiger_open(directory.c_str(), nullptr, kConnection, &connection_);
    if (code == 0) code = connection_->open_session(connection_, nullptr, nullptr, &session_);
    if (code == 0) code = session_->create(session_, kTable, "key_format=u,value_format=u");
    if (code == 0) {
      code = session_->open_cursor(session_, kTable, nullptr, "overwrite=false", &cursor_);
    }
    return code;
  }

  // Puts the cursor on the first record of a scan.
  int BeginScan(std::string_view start) {
    if (start.empty()) {
      cursor_->reset(cursor_);
      return cursor_->next(cursor_);
    }
    WT_ITEM wanted = ItemOf(start);
    cursor_->set_key(cursor_, &wanted);
    int exact = 0;
    const int code = cursor_->search_near(cursor_, &exact);
    return code == 0 && exact < 0 ? cursor_->next(cursor_) : code;
  }

  int TakeValue(std::string* record) {
    WT_ITEM found = {};
    const int code = cursor_->get_value(cursor_, &found);
    if (code == 0) record->assign(static_cast<const char*>(found.data), found.size);
    return code;
  }

  absl::Status InTransaction(const RecordView* records, size_t count, bool update) {
    if (absl::Status s = StatusOf("begin", session_->begin_transaction(session_, nullptr));
        !s.ok()) {
      return s;
    }
    for (size_t i = 0; i < count; ++i) {
      WT_ITEM key = ItemOf(KeyOf(records[i]));
      WT_ITEM value = ItemOf(records[i]);
      cursor_->set_key(cursor_, &key);
      cursor_->set_value(cursor_, &value);
      const int code = update ? cursor_->update(cursor_) : cursor_->insert(cursor_);
      if (code == 0) continue;
      session_->rollback_transaction(session_, nullptr);
      return StatusOf(update ? "update" : "insert", code);
    }
    cursor_->reset(cursor_);
    return StatusOf("commit",
                    session_->commit_transaction(session_, durable_ ? "sync=on" : "sync=off"));
  }

  const bool durable_;
  WT_CONNECTION* connection_ = nullptr;  // owns session and cursor
  WT_SESSION* session_ = nullptr;
  WT_CURSOR* cursor_ = nullptr;
};

}  // namespace

std::vector<Peer> WiredtigerPeers() {
  return {
      {.name = kWiredtiger,
       .settings =
           "cache 1 GB, log on with fsync, leaves of 32 KiB, inserts refuse duplicates; loads "
           "in transactions of 1,000, then a checkpoint",
       .open = WiredtigerStore::Open,
       .data_bytes = [](const PeerOpen& open) { return FileBytes(open.directory, "records.wt"); }},
  };
}

}  // namespace bench
}  // namespace quire
