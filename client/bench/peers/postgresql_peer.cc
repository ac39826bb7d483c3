// PostgreSQL over loopback: prepared statements, pipelines, COPY.
#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/bench/peers/copy_format.h"
#include "client/bench/peers/errors.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/postgresql_connection.h"
#include "client/bench/peers/record_set.h"
#include "client/bench/peers/server_address.h"
#include "client/bench/peers/server_memory.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr char kTable[] = "quire_bench_record";
constexpr size_t kPart = 64;          // statements between two syncs of a pipeline
constexpr size_t kPartsInFlight = 4;  // answers of so many parts fit into the sockets' buffers
constexpr size_t kCopyBytes = 64 << 10;

constexpr char kWrite[] = "quire_write";
constexpr char kUpdate[] = "quire_update";
constexpr char kRead[] = "quire_read";

class PostgresqlStore : public PeerStore {
 public:
  PostgresqlStore(std::unique_ptr<PostgresqlConnection> connection, bool copy)
      : connection_(std::move(connection)), copy_(copy) {}

  // An empty table; what earlier work left to a checkpoint is written before.
  absl::Status Begin(PeerDurability durability) {
    const std::string table(kTable);
    for (const std::string& sql :
         {StrCat("DROP TABLE IF EXISTS ", table),
          StrCat("CREATE TABLE ", table,
                 " (key text COLLATE \"C\" PRIMARY KEY, value text NOT NULL)"),
          std::string("CHECKPOINT"),
          StrCat("SET synchronous_commit = ",
                 durability == PeerDurability::kNone ? "off" : "on")}) {
      if (absl::Status s = connection_->Execute(sql); !s.ok()) return s;
    }
    if (absl::Status s = connection_->Prepare(
            kWrite, StrCat("INSERT INTO ", table, " VALUES ($1, $2)").c_str(), 2);
        !s.ok()) {
      return s;
    }
    if (absl::Status s = connection_->Prepare(
            kUpdate, StrCat("UPDATE ", table, " SET value = $2 WHERE key = $1").c_str(), 2);
        !s.ok()) {
      return s;
    }
    return connection_->Prepare(kRead,
                                StrCat("SELECT value FROM ", table, " WHERE key = $1").c_str(), 1);
  }

  absl::Status Write(RecordView record) override {
    return connection_->Run(kWrite, KeyOf(record), record).status();
  }
  absl::Status Update(RecordView record) override {
    const absl::StatusOr<PostgresqlResult> result =
        connection_->Run(kUpdate, KeyOf(record), record);
    if (!result.ok()) return result.status();
    return std::string_view(PQcmdTuples(result->get())) == "1" ? absl::OkStatus()
                                                               : PeerHasNoRecord(kPostgresql);
  }

  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    if (copy_) return CopyIn(records);
    if (absl::Status s = connection_->EnterPipeline(); !s.ok()) return s;
    absl::Status result = SendAll(records);
    result.Update(connection_->LeavePipeline());
    // What was refused leaves its transaction open.
    if (!result.ok()) connection_->Execute("ROLLBACK").IgnoreError();
    return result;
  }

  absl::Status Settle() override { return connection_->Execute("CHECKPOINT"); }
  // What the autovacuum would do in the next minute.
  void Rest() override { connection_->Execute(StrCat("VACUUM (ANALYZE) ", kTable)).IgnoreError(); }

  absl::Status Read(std::string_view key, std::string* record) override {
    const absl::StatusOr<PostgresqlResult> result = connection_->Run(kRead, key, "");
    if (!result.ok()) return result.status();
    if (PQntuples(result->get()) != 1) return PeerHasNoRecord(kPostgresql);
    record->assign(ValueOf(result->get(), 0));
    return absl::OkStatus();
  }

  absl::Status ReadGroup(const std::vector<std::string>& keys,
                         absl::FunctionRef<void(RecordView)> visit) override {
    if (absl::Status s = connection_->EnterPipeline(); !s.ok()) return s;
    absl::Status result;
    size_t parts = 0;
    for (size_t start = 0; start < keys.size() && result.ok(); start += kPart, ++parts) {
      result = SendReads(keys, start, std::min(keys.size(), start + kPart));
    }
    size_t found = 0;
    for (; parts > 0; --parts) {
      result.Update(connection_->TakePart([&](const PGresult* row) {
        if (PQntuples(row) != 1) return;
        ++found;
        visit(ValueOf(row, 0));
      }));
    }
    if (result.ok() && found != keys.size()) result = PeerHasNoRecord(kPostgresql);
    result.Update(connection_->LeavePipeline());
    return result;
  }

  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    const std::string sql =
        StrCat("COPY (SELECT value FROM ", kTable, " WHERE key >= ", Quoted(start),
               " ORDER BY key LIMIT ", limit, ") TO STDOUT (FORMAT binary)");
    const PostgresqlResult begun(PQexec(connection_->raw(), sql.c_str()));
    if (PQresultStatus(begun.get()) != PGRES_COPY_OUT) return connection_->Failure("COPY TO");
    CopyReader reader;
    char* row = nullptr;
    int bytes = 0;
    while ((bytes = PQgetCopyData(connection_->raw(), &row, 0)) > 0) {
      reader.Take({row, static_cast<size_t>(bytes)}, visit);
      PQfreemem(row);
    }
    if (absl::Status s = EndCopy("COPY TO"); !s.ok()) return s;
    return bytes == -1 && reader.whole() ? absl::OkStatus()
                                         : PeerRefused(kPostgresql, "COPY TO", "damaged rows");
  }

  absl::Status Close() override { return absl::OkStatus(); }

 private:
  // One transaction, so that all is durable when it ends and nothing before.
  absl::Status SendAll(const std::vector<RecordView>& records) {
    const bool many = records.size() > kPart;  // a single part is a transaction by itself
    size_t in_flight = 0;
    absl::Status result = many ? connection_->SendCommand("BEGIN") : absl::OkStatus();
    for (size_t start = 0; start < records.size() && result.ok(); start += kPart) {
      const size_t end = std::min(records.size(), start + kPart);
      for (size_t i = start; i < end && result.ok(); ++i) {
        result = connection_->Send(kWrite, KeyOf(records[i]), records[i]);
      }
      if (many && end == records.size()) result.Update(connection_->SendCommand("COMMIT"));
      result.Update(connection_->Sync());
      if (++in_flight == kPartsInFlight) {
        result.Update(connection_->TakePart([](const PGresult*) {}));
        --in_flight;
      }
    }
    for (; in_flight > 0; --in_flight) {
      result.Update(connection_->TakePart([](const PGresult*) {}));
    }
    return result;
  }

  absl::Status SendReads(const std::vector<std::string>& keys, size_t start, size_t end) {
    for (size_t i = start; i < end; ++i) {
      if (absl::Status s = connection_->Send(kRead, keys[i], ""); !s.ok()) return s;
    }
    return connection_->Sync();
  }

  absl::Status CopyIn(const std::vector<RecordView>& records) {
    const std::string sql = StrCat("COPY ", kTable, " FROM STDIN (FORMAT binary)");
    const PostgresqlResult begun(PQexec(connection_->raw(), sql.c_str()));
    if (PQresultStatus(begun.get()) != PGRES_COPY_IN) return connection_->Failure("COPY FROM");
    std::string bytes = CopyHead();
    for (const RecordView record : records) {
      AppendCopyRow(KeyOf(record), record, &bytes);
      if (bytes.size() < kCopyBytes) continue;
      if (absl::Status s = PutCopy(bytes); !s.ok()) return s;
      bytes.clear();
    }
    bytes += CopyTail();
    if (absl::Status s = PutCopy(bytes); !s.ok()) return s;
    if (PQputCopyEnd(connection_->raw(), nullptr) != 1) return connection_->Failure("COPY FROM");
    return EndCopy("COPY FROM");
  }
  absl::Status PutCopy(const std::string& bytes) {
    return PQputCopyData(connection_->raw(), bytes.data(), static_cast<int>(bytes.size())) == 1
               ? absl::OkStatus()
               : connection_->Failure("COPY FROM");
  }
  absl::Status EndCopy(std::string_view call) {
    absl::Status result;
    while (const PostgresqlResult one{PQgetResult(connection_->raw())}) {
      if (PQresultStatus(one.get()) != PGRES_COMMAND_OK) {
        result.Update(PeerRefused(kPostgresql, call, PQresultErrorMessage(one.get())));
      }
    }
    return result;
  }

  std::string Quoted(std::string_view text) const {
    char* const quoted = PQescapeLiteral(connection_->raw(), text.data(), text.size());
    const std::string result = quoted == nullptr ? "''" : quoted;
    PQfreemem(quoted);
    return result;
  }

  const std::unique_ptr<PostgresqlConnection> connection_;
  const bool copy_;
};

uint64_t NumberOfText(const absl::StatusOr<std::string>& text) {
  uint64_t number = 0;
  if (text.ok()) std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

absl::StatusOr<std::unique_ptr<PeerStore>> Open(const std::string& address, const PeerOpen& open,
                                                bool copy, ServerMemory* memory) {
  absl::StatusOr<std::unique_ptr<PostgresqlConnection>> connection =
      PostgresqlConnection::Connect(address);
  if (!connection.ok()) return connection.status();
  const uint64_t server = NumberOfText((*connection)->Ask("SELECT pg_backend_pid()::text"));
  auto store = std::make_unique<PostgresqlStore>(*std::move(connection), copy);
  if (absl::Status s = store->Begin(open.durability); !s.ok()) return s;
  memory->Watch({static_cast<pid_t>(server)});
  return store;
}

uint64_t TableBytes(const std::string& address) {
  const absl::StatusOr<std::unique_ptr<PostgresqlConnection>> connection =
      PostgresqlConnection::Connect(address);
  if (!connection.ok()) return 0;
  return NumberOfText(
      (*connection)->Ask(StrCat("SELECT pg_total_relation_size('", kTable, "')::text")));
}

Peer MakePeer(const std::string& address, bool copy, std::string settings) {
  const auto memory = std::make_shared<ServerMemory>();
  Peer peer;
  peer.name = copy ? kPostgresqlCopy : kPostgresql;
  peer.settings = std::move(settings);
  peer.over_network = true;
  peer.open = [address, copy, memory](const PeerOpen& open) {
    return Open(address, open, copy, memory.get());
  };
  peer.data_bytes = [address](const PeerOpen&) { return TableBytes(address); };
  peer.server_memory = [memory] { return memory->Peak(); };
  if (copy) {
    peer.works = {Work::kLoadAscending, Work::kLoadRuns, Work::kLoadShuffled, Work::kLoadDurable};
  }
  return peer;
}

}  // namespace

std::vector<Peer> PostgresqlPeers(std::vector<std::string>* missing) {
  const std::string address = AddressFrom(kPostgresqlVariable);
  if (address.empty()) {
    missing->push_back(NotGiven(kPostgresql, kPostgresqlVariable));
    return {};
  }
  const absl::StatusOr<std::unique_ptr<PostgresqlConnection>> connection =
      PostgresqlConnection::Connect(address);
  if (!connection.ok()) {
    missing->emplace_back(ToStd(connection.status().message()));
    return {};
  }
  const std::string server =
      StrCat("PostgreSQL ", PQparameterStatus((*connection)->raw(), "server_version"),
             ", table and primary key COLLATE \"C\", shared_buffers ",
             (*connection)->Ask("SHOW shared_buffers").value_or("?"), ", huge_pages ",
             (*connection)->Ask("SHOW huge_pages").value_or("?"),
             ", synchronous_commit off where nothing durable is asked for before the checkpoint");
  return {MakePeer(address, /*copy=*/false,
                   StrCat(server, "; prepared statements in binary, groups and reads pipelined by ",
                          kPart, ", a load in one transaction; scan by COPY TO")),
          MakePeer(address, /*copy=*/true, StrCat(server, "; COPY BINARY"))};
}

}  // namespace bench
}  // namespace quire
