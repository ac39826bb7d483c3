// PostgreSQL and Redis as peers, against servers that deploy/bench-peers-servers.sh starts.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "client/bench/child_process.h"
#include "client/bench/made_records.h"
#include "client/bench/peers/peer.h"
#include "client/bench/peers/server_address.h"
#include "client/bench/text_file.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace bench {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kRecords = 300;
constexpr absl::Duration kStartTimeout = absl::Seconds(60);
constexpr absl::Duration kStopTimeout = absl::Seconds(60);
constexpr absl::Duration kLookInterval = absl::Milliseconds(20);

bool IsInstalled(const std::string& folder, const std::string& program) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (fs::exists(entry.path() / program)) return true;
  }
  return fs::exists(fs::path(folder) / program);
}
bool PostgresqlIsInstalled() {
  return IsInstalled("/usr/lib/postgresql", "bin/initdb");
}
bool RedisIsInstalled() {
  return IsInstalled("/usr/bin", "redis-server");
}

class NetworkPeersTest : public testing::Test {
 protected:
  // Sets the variables by which peers find the servers.
  void StartServers() {
    // As root, PostgreSQL runs as another user, who passes through.
    fs::permissions(directory_.path(), fs::perms::group_exec | fs::perms::others_exec,
                    fs::perm_options::add);
    absl::StatusOr<ChildProcess> started =
        ChildProcess::Start(QUIRE_SOURCE_DIR "/deploy/bench-peers-servers.sh",
                            {"--small", "--directory", data(), "--addresses", file()}, log());
    ASSERT_TRUE(started.ok()) << started.status();
    script_.emplace(*std::move(started));
    const absl::Time deadline = absl::Now() + kStartTimeout;
    while (!fs::exists(file())) {
      const std::optional<std::string> ended = script_->WaitUntil(absl::Now() + kLookInterval);
      ASSERT_FALSE(ended.has_value()) << *ended << ": " << ReadTextFile(log()).value_or("");
      ASSERT_LT(absl::Now(), deadline) << ReadTextFile(log()).value_or("");
    }
    std::ifstream lines(file());
    std::string line;
    while (std::getline(lines, line)) {
      const size_t equals = line.find('=');
      setenv(line.substr(0, equals).c_str(), line.substr(equals + 1).c_str(), 1);
    }
  }
  void TearDown() override {
    if (script_.has_value()) StopServers();
  }
  void StopServers() {
    script_->RequestStop();
    EXPECT_TRUE(script_->WaitUntil(absl::Now() + kStopTimeout).has_value());
    script_.reset();
  }

  std::string data() const { return directory_.path() + "/data"; }
  std::string file() const { return directory_.path() + "/addresses"; }
  std::string log() const { return directory_.path() + "/log"; }

  const TestDirectory directory_;
  const MadeRecords records_{kRecords};
  std::optional<ChildProcess> script_;
};

std::unique_ptr<PeerStore> OpenPeer(const Peer& peer, PeerDurability durability) {
  PeerOpen open;
  open.durability = durability;
  absl::StatusOr<std::unique_ptr<PeerStore>> store = peer.open(open);
  EXPECT_TRUE(store.ok()) << store.status();
  return store.ok() ? *std::move(store) : nullptr;
}

std::vector<std::string> ScanAll(PeerStore* store, std::string_view start, uint64_t limit) {
  std::vector<std::string> found;
  const absl::Status done =
      store->Scan(start, limit, [&](RecordView record) { found.emplace_back(record); });
  EXPECT_TRUE(done.ok()) << done;
  return found;
}

// The records but the first, shuffled.
std::vector<std::string> Others(const MadeRecords& records) {
  std::vector<std::string> others;
  for (uint64_t i = 0; i < kRecords; ++i) {
    const uint64_t rank = records.RankAt(RecordOrder::kShuffled, i);
    if (rank != 0) others.push_back(records.Record(rank));
  }
  return others;
}

void WriteAll(PeerStore* store, const MadeRecords& records) {
  ASSERT_TRUE(store->Write(records.Record(0)).ok());
  const std::vector<std::string> others = Others(records);
  const absl::Status written = store->WriteGroup({others.begin(), others.end()});
  ASSERT_TRUE(written.ok()) << written;
  ASSERT_TRUE(store->Settle().ok());
  store->Rest();
}

void CheckReads(PeerStore* store, const MadeRecords& records) {
  std::string record;
  ASSERT_TRUE(store->Read(records.Key(7), &record).ok());
  EXPECT_EQ(record, records.Record(7));
  EXPECT_EQ(NumberOf(store->Read("99999999999", &record)), ErrorNumber::kNotFound);

  std::vector<std::string> keys;
  for (uint64_t i = 0; i < 150; ++i) keys.push_back(records.Key((i * 7) % kRecords));
  std::vector<std::string> found;
  ASSERT_TRUE(store->ReadGroup(keys, [&](RecordView one) { found.emplace_back(one); }).ok());
  ASSERT_EQ(found.size(), keys.size());
  for (uint64_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(records.Matches(i * 7 % kRecords, found[i]));
  EXPECT_EQ(NumberOf(store->ReadGroup({keys[0], "99999999999"}, [](RecordView) {})),
            ErrorNumber::kNotFound);
}

void CheckScans(PeerStore* store, const MadeRecords& records) {
  const std::vector<std::string> all = ScanAll(store, "", kRecords);
  ASSERT_EQ(all.size(), kRecords);
  for (uint64_t rank = 0; rank < kRecords; ++rank) EXPECT_TRUE(records.Matches(rank, all[rank]));
  const std::vector<std::string> some = ScanAll(store, records.Key(40), 25);
  ASSERT_EQ(some.size(), 25u);
  for (uint64_t i = 0; i < some.size(); ++i) EXPECT_TRUE(records.Matches(40 + i, some[i]));
  EXPECT_EQ(ScanAll(store, records.Key(kRecords - 2), 25).size(), 2u);
}

void CheckEveryCall(const Peer& peer, const MadeRecords& records) {
  for (const PeerDurability durability :
       {PeerDurability::kNone, PeerDurability::kEach, PeerDurability::kGrouped}) {
    const std::unique_ptr<PeerStore> store = OpenPeer(peer, durability);
    ASSERT_NE(store, nullptr);
    EXPECT_TRUE(ScanAll(store.get(), "", kRecords).empty());  // of what was there before
    WriteAll(store.get(), records);
    CheckReads(store.get(), records);
    CheckScans(store.get(), records);
    const std::string changed = records.Key(3) + std::string(200, 'c');
    ASSERT_TRUE(store->Update(changed).ok());
    std::string record;
    ASSERT_TRUE(store->Read(records.Key(3), &record).ok());
    EXPECT_EQ(record, changed);
    EXPECT_GT(peer.data_bytes({}), kRecords * 500);
    EXPECT_GT(peer.server_memory(), 0u);
    EXPECT_TRUE(store->Close().ok());
  }
}

TEST_F(NetworkPeersTest, PostgresqlDoesEveryCall) {
  if (!PostgresqlIsInstalled()) GTEST_SKIP() << "no PostgreSQL server on this machine";
  StartServers();
  if (HasFatalFailure()) return;
  std::vector<std::string> missing;
  const std::vector<Peer> peers = PostgresqlPeers(&missing);
  ASSERT_EQ(peers.size(), 2u) << testing::PrintToString(missing);
  for (const Peer& peer : peers) CheckEveryCall(peer, records_);
}

// A group is one transaction: what is refused leaves nothing, and the connection goes on.
TEST_F(NetworkPeersTest, PostgresqlRefusesAGroupAsAWhole) {
  if (!PostgresqlIsInstalled()) GTEST_SKIP() << "no PostgreSQL server on this machine";
  StartServers();
  if (HasFatalFailure()) return;
  std::vector<std::string> missing;
  for (const Peer& peer : PostgresqlPeers(&missing)) {
    const std::unique_ptr<PeerStore> store = OpenPeer(peer, PeerDurability::kGrouped);
    ASSERT_NE(store, nullptr);
    std::vector<std::string> twice = Others(records_);
    twice.insert(twice.begin() + 100, twice.front());
    for (const size_t count : {size_t{50}, twice.size()}) {
      std::vector<RecordView> group(twice.end() - static_cast<int64_t>(count), twice.end());
      group.push_back(group.front());
      EXPECT_EQ(NumberOf(store->WriteGroup(group)), ErrorNumber::kBadParameter) << count;
      EXPECT_TRUE(ScanAll(store.get(), "", kRecords).empty()) << count;
    }
    EXPECT_TRUE(store->Write(records_.Record(0)).ok());
    EXPECT_EQ(ScanAll(store.get(), "", kRecords).size(), 1u);
  }
}

TEST_F(NetworkPeersTest, RedisDoesEveryCall) {
  if (!RedisIsInstalled()) GTEST_SKIP() << "no Redis server on this machine";
  StartServers();
  if (HasFatalFailure()) return;
  std::vector<std::string> missing;
  const std::vector<Peer> peers = RedisPeers(&missing);
  ASSERT_EQ(peers.size(), 2u) << testing::PrintToString(missing);
  for (const Peer& peer : peers) CheckEveryCall(peer, records_);
}

TEST_F(NetworkPeersTest, ServersGoWithTheScriptAndLeaveNothing) {
  if (!PostgresqlIsInstalled() && !RedisIsInstalled()) {
    GTEST_SKIP() << "neither PostgreSQL nor Redis on this machine";
  }
  StartServers();
  if (HasFatalFailure()) return;
  EXPECT_FALSE(fs::is_empty(data()));
  StopServers();
  EXPECT_TRUE(fs::is_empty(data()));
  std::vector<std::string> missing;
  EXPECT_TRUE(PostgresqlPeers(&missing).empty());
  EXPECT_TRUE(RedisPeers(&missing).empty());
  EXPECT_EQ(missing.size(), 3u);
}

TEST(NoServersTest, WhatIsNotGivenIsSaid) {
  for (const char* name : {kPostgresqlVariable, kRedisAlwaysVariable, kRedisEverysecVariable}) {
    unsetenv(name);
  }
  std::vector<std::string> missing;
  EXPECT_TRUE(PostgresqlPeers(&missing).empty());
  EXPECT_TRUE(RedisPeers(&missing).empty());
  EXPECT_EQ(missing.size(), 3u);
}

}  // namespace
}  // namespace bench
}  // namespace quire
