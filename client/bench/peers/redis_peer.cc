// Redis over loopback: a string per record, and a sorted set of the keys for their order.
#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "client/bench/peers/errors.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/record_set.h"
#include "client/bench/peers/redis_connection.h"
#include "client/bench/peers/server_address.h"
#include "client/bench/peers/server_memory.h"
#include "quire/text.h"

namespace quire {
namespace bench {
namespace {

constexpr std::string_view kIndex = "quire:index";
constexpr size_t kPipeline = 64;  // records sent before their answers are taken
constexpr size_t kPageKeys = 500;
// Longest wait for the rewrite of its log that begins a measurement.
constexpr absl::Duration kRewriteTimeout = absl::Seconds(60);
constexpr absl::Duration kRewriteLook = absl::Milliseconds(20);

uint64_t NumberOfText(const std::string& text) {
  uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

class RedisStore : public PeerStore {
 public:
  RedisStore(std::unique_ptr<RedisConnection> connection, const char* name)
      : connection_(std::move(connection)), name_(name) {}

  // Empty, its log too.
  absl::Status Begin() {
    if (absl::Status s = connection_->Run({"FLUSHALL"}).status(); !s.ok()) return s;
    AwaitRewrite();  // one that earlier work started
    if (absl::Status s = connection_->Run({"BGREWRITEAOF"}).status(); !s.ok()) return s;
    AwaitRewrite();
    return absl::OkStatus();
  }
  pid_t server_pid() {
    return static_cast<pid_t>(NumberOfText(connection_->Info("server", "process_id")));
  }

  absl::Status Write(RecordView record) override {
    if (absl::Status s = SendWrite(record); !s.ok()) return s;
    return connection_->TakeAll(2);
  }
  absl::Status WriteGroup(const std::vector<RecordView>& records) override {
    size_t in_flight = 0;
    absl::Status result;
    for (const RecordView record : records) {
      if (absl::Status s = SendWrite(record); !s.ok()) return s;
      if (++in_flight < kPipeline) continue;
      result.Update(connection_->TakeAll(2 * in_flight));
      in_flight = 0;
    }
    result.Update(connection_->TakeAll(2 * in_flight));
    return result;
  }
  absl::Status Update(RecordView record) override {
    return connection_->Run({"SET", KeyOf(record), record}).status();
  }

  // Redis 7.0 has no call that syncs its log; a write under appendfsync always does.
  absl::Status Settle() override {
    const absl::StatusOr<RedisReply> before = connection_->Run({"CONFIG", "GET", "appendfsync"});
    if (!before.ok()) return before.status();
    if ((*before)->elements != 2) return PeerRefused(name_, "CONFIG GET", "no appendfsync");
    const std::string kept(BytesOf(*(*before)->element[1]));
    absl::Status result = connection_->Run({"CONFIG", "SET", "appendfsync", "always"}).status();
    result.Update(connection_->Run({"SET", "quire:settle", "1"}).status());
    result.Update(connection_->Run({"DEL", "quire:settle"}).status());
    result.Update(connection_->Run({"CONFIG", "SET", "appendfsync", kept}).status());
    return result;
  }
  void Rest() override { AwaitRewrite(); }

  absl::Status Read(std::string_view key, std::string* record) override {
    const absl::StatusOr<RedisReply> reply = connection_->Run({"GET", key});
    if (!reply.ok()) return reply.status();
    if ((*reply)->type != REDIS_REPLY_STRING) return PeerHasNoRecord(name_);
    record->assign(BytesOf(**reply));
    return absl::OkStatus();
  }

  absl::Status ReadGroup(const std::vector<std::string>& keys,
                         absl::FunctionRef<void(RecordView)> visit) override {
    for (const std::string& key : keys) {
      if (absl::Status s = connection_->Send({"GET", key}); !s.ok()) return s;
    }
    absl::Status result;
    for (size_t i = 0; i < keys.size(); ++i) {
      const absl::StatusOr<RedisReply> reply = connection_->Take();
      if (!reply.ok()) {
        result.Update(reply.status());
      } else if ((*reply)->type != REDIS_REPLY_STRING) {
        result.Update(PeerHasNoRecord(name_));
      } else {
        visit(BytesOf(**reply));
      }
    }
    return result;
  }

  absl::Status Scan(std::string_view start, uint64_t limit,
                    absl::FunctionRef<void(RecordView)> visit) override {
    std::string from = start.empty() ? "-" : StrCat("[", start);
    while (limit > 0) {
      const std::string count = StrCat(std::min<uint64_t>(limit, kPageKeys));
      const absl::StatusOr<RedisReply> keys =
          connection_->Run({"ZRANGE", kIndex, from, "+", "BYLEX", "LIMIT", "0", count});
      if (!keys.ok()) return keys.status();
      const size_t found = (*keys)->elements;
      if (found == 0) return absl::OkStatus();
      if (absl::Status s = VisitPage(**keys, visit); !s.ok()) return s;
      limit -= found;
      from = StrCat("(", BytesOf(*(*keys)->element[found - 1]));
    }
    return absl::OkStatus();
  }

  absl::Status Close() override { return absl::OkStatus(); }

 private:
  absl::Status SendWrite(RecordView record) {
    const std::string_view key = KeyOf(record);
    if (absl::Status s = connection_->Send({"SET", key, record}); !s.ok()) return s;
    return connection_->Send({"ZADD", kIndex, "0", key});
  }

  absl::Status VisitPage(const redisReply& keys, absl::FunctionRef<void(RecordView)> visit) {
    std::vector<std::string_view> words = {"MGET"};
    for (size_t i = 0; i < keys.elements; ++i) words.push_back(BytesOf(*keys.element[i]));
    const absl::StatusOr<RedisReply> records = connection_->Run(words);
    if (!records.ok()) return records.status();
    for (size_t i = 0; i < (*records)->elements; ++i) {
      const redisReply& record = *(*records)->element[i];
      if (record.type != REDIS_REPLY_STRING) return PeerHasNoRecord(name_);
      visit(BytesOf(record));
    }
    return absl::OkStatus();
  }

  void AwaitRewrite() {
    const absl::Time deadline = absl::Now() + kRewriteTimeout;
    while (absl::Now() < deadline) {
      if (connection_->Info("persistence", "aof_rewrite_in_progress") != "1" &&
          connection_->Info("persistence", "aof_rewrite_scheduled") != "1") {
        return;
      }
      absl::SleepFor(kRewriteLook);
    }
  }

  const std::unique_ptr<RedisConnection> connection_;
  const char* const name_;
};

absl::StatusOr<std::unique_ptr<PeerStore>> Open(const std::string& address, const char* name,
                                                ServerMemory* memory) {
  absl::StatusOr<std::unique_ptr<RedisConnection>> connection = RedisConnection::Connect(address);
  if (!connection.ok()) return connection.status();
  auto store = std::make_unique<RedisStore>(*std::move(connection), name);
  if (absl::Status s = store->Begin(); !s.ok()) return s;
  memory->Watch({store->server_pid()});
  return store;
}

// Its log is where the records are.
uint64_t LogBytes(const std::string& address) {
  const absl::StatusOr<std::unique_ptr<RedisConnection>> connection =
      RedisConnection::Connect(address);
  if (!connection.ok()) return 0;
  return NumberOfText((*connection)->Info("persistence", "aof_current_size"));
}

void AddPeer(const char* name, const char* variable, std::vector<Work> works,
             std::vector<Peer>* peers, std::vector<std::string>* missing) {
  const std::string address = AddressFrom(variable);
  if (address.empty()) {
    missing->push_back(NotGiven(name, variable));
    return;
  }
  const absl::StatusOr<std::unique_ptr<RedisConnection>> connection =
      RedisConnection::Connect(address);
  if (!connection.ok()) {
    missing->push_back(StrCat(name, ": ", ToStd(connection.status().message())));
    return;
  }
  const auto memory = std::make_shared<ServerMemory>();
  Peer peer;
  peer.name = name;
  peer.settings = StrCat("Redis ", (*connection)->Info("server", "redis_version"),
                         ", appendonly, SET and ZADD pipelined by ", kPipeline,
                         " records; scan by ZRANGE BYLEX and MGET, ", kPageKeys, " keys a page");
  peer.over_network = true;
  peer.open = [address, name, memory](const PeerOpen&) {
    return Open(address, name, memory.get());
  };
  peer.data_bytes = [address](const PeerOpen&) { return LogBytes(address); };
  peer.server_memory = [memory] { return memory->Peak(); };
  peer.works = std::move(works);
  peers->push_back(std::move(peer));
}

}  // namespace

std::vector<Peer> RedisPeers(std::vector<std::string>* missing) {
  std::vector<Peer> peers;
  AddPeer(kRedisAlways, kRedisAlwaysVariable, {Work::kDurable, Work::kGroup, Work::kLoadDurable},
          &peers, missing);
  std::vector<Work> rest;
  for (const Work work : AllWorks()) {
    if (work != Work::kDurable && work != Work::kGroup && work != Work::kLoadDurable) {
      rest.push_back(work);
    }
  }
  AddPeer(kRedisEverysec, kRedisEverysecVariable, std::move(rest), &peers, missing);
  return peers;
}

}  // namespace bench
}  // namespace quire
