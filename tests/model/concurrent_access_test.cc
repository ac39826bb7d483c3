// Many clients, random opens, locks and kills (issue: record access). Each record holds a number;
// a client locks it, reads it, adds one and unlocks, or dies anywhere in between. Afterwards:
//   no lock outlives its owner's lease, no waiter is forgotten, nobody starves (a waiter sees at
//   most one turn of each client before its own), and the numbers of every record are a
//   history that one order of the changes explains: each number was written by one change, and a
//   change that ended before another began has the smaller one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/strings/numbers.h"
#include "quire/mutex.h"
#include "quire/text.h"
#include "tests/support/blocking.h"
#include "tests/support/test_random.h"
#include "tests/support/test_volume.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";
constexpr int kRecords = 4;
constexpr int kClients = 6;
constexpr int kTurns = 150;  // of each client
constexpr uint32_t kLeaseMs = 40;
constexpr uint32_t kTickMs = 5;

FileReference Ref() {
  return FileReference{*ParseFileName(kFile), 0, 0, "client"};
}

int64_t NowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct Change {
  uint64_t number = 0;  // written
  int64_t began_us = 0;
  int64_t ended_us = 0;
};

// What all clients saw of one record.
struct History {
  Mutex mutex;
  std::vector<Change> changes ABSL_GUARDED_BY(mutex);  // acknowledged
  uint64_t unknown ABSL_GUARDED_BY(mutex) = 0;         // sent by a client that died
  std::atomic<uint64_t> turns{0};
};

size_t LocksOf(Volume& volume) {
  ListLocksRequest request;
  request.file = Ref();
  const absl::StatusOr<ListLocksPage> page = Await<ListLocksPage>(
      [&](Done<ListLocksPage> done) { volume.ListLocks(request, std::move(done)); });
  return page.ok() ? page->locks.size() : SIZE_MAX;
}

class Client {
 public:
  Client(Volume& volume, uint64_t seed, std::array<History, kRecords>& histories)
      : volume_(volume), random_(seed), histories_(histories) {}

  void Run() {
    for (int turn = 0; turn < kTurns; ++turn) {
      if (session_ == nullptr) Open();
      Turn(static_cast<int>(random_() % kRecords));
    }
    if (session_ != nullptr) {
      EXPECT_TRUE(session_->Close().ok());
    }
  }

 private:
  void Open() {
    OpenRequest request{Ref()};
    request.file.open_id = random_();
    session_ = std::make_unique<KeptSession>(volume_, request);
    ASSERT_TRUE(session_->opened().ok());
    sequence_ = 1;
    submitted_ = 0;
  }
  void Die() { session_.reset(); }  // without Close: as a kill

  BatchResult Do(OperationBatch batch) {
    batch.first_sequence = sequence_;
    sequence_ += batch.size();
    session_->SubmitNowait(std::move(batch));
    ++submitted_;
    return session_->WaitForResults(submitted_).at(submitted_ - 1);
  }
  BatchResult Do(const Operation& operation) {
    OperationBatch batch;
    batch.Add(operation);
    return Do(std::move(batch));
  }

  // A request that waits sees at most one turn of each other client before its own.
  BatchResult DoInTurn(History& history, const Operation& operation) {
    OperationBatch batch;
    batch.Add(operation);
    batch.first_sequence = sequence_++;
    session_->SubmitNowait(std::move(batch));
    ++submitted_;
    // The volume has executed the request when it answers this one: it waits, or has its lock.
    LocksOf(volume_);
    const uint64_t before = history.turns.load();
    BatchResult result = session_->WaitForResults(submitted_).at(submitted_ - 1);
    EXPECT_LE(history.turns.load() - before, uint64_t{kClients}) << "a waiter starves";
    return result;
  }

  void Turn(int record) {
    History& history = histories_[record];
    const std::string key = SmallKey(record);
    const bool whole_file = random_() % 16 == 0;
    Operation read;
    read.kind = OperationKind::kRead;
    read.key = key;
    read.lock = !whole_file;
    const int64_t began = NowMicros();
    if (whole_file) {
      Operation lock;
      lock.kind = OperationKind::kLockFile;
      const BatchResult locked = Do(lock);
      ASSERT_TRUE(locked.results.at(0).status.ok()) << locked.results[0].status;
    }
    const BatchResult found = whole_file ? Do(read) : DoInTurn(history, read);
    ASSERT_TRUE(found.results.at(0).status.ok()) << found.results[0].status;
    history.turns.fetch_add(1);
    if (random_() % 12 == 0) return Die();  // holding the lock
    uint64_t number = 0;
    ASSERT_TRUE(absl::SimpleAtoi(ToAbsl(found.record(0).substr(4)), &number));
    Write(history, record, number + 1, began, whole_file);
  }

  void Write(History& history, int record, uint64_t number, int64_t began, bool whole_file) {
    const std::string text = SmallRecord(record, StrCat(number));
    Operation update;
    update.kind = OperationKind::kUpdate;
    update.record = text;
    update.unlock = !whole_file;
    if (random_() % 12 == 0) {
      OperationBatch batch;
      batch.Add(update);
      batch.first_sequence = sequence_;
      {
        MutexLock lock(&history.mutex);
        ++history.unknown;
      }
      session_->SubmitNowait(std::move(batch));
      return Die();  // its answer is on the way
    }
    const BatchResult written = Do(update);
    ASSERT_TRUE(written.results.at(0).status.ok()) << written.results[0].status;
    {
      MutexLock lock(&history.mutex);
      history.changes.push_back(Change{number, began, NowMicros()});
    }
    if (!whole_file) return;
    Operation unlock;
    unlock.kind = OperationKind::kUnlockFile;
    EXPECT_TRUE(Do(unlock).results.at(0).status.ok());
  }

  Volume& volume_;
  std::mt19937_64 random_;
  std::array<History, kRecords>& histories_;
  std::unique_ptr<KeptSession> session_;
  uint64_t sequence_ = 1;
  size_t submitted_ = 0;
};

void ExpectOneOrderExplains(History& history, uint64_t last) {
  MutexLock lock(&history.mutex);
  std::map<uint64_t, Change> by_number;
  for (const Change& change : history.changes) {
    EXPECT_TRUE(by_number.emplace(change.number, change).second)
        << "number " << change.number << " was written twice: a change was lost";
    EXPECT_LE(change.number, last);
  }
  EXPECT_LE(last - by_number.size(), history.unknown) << "more changes than anybody asked for";
  // Going up, no change may have ended before one with a smaller number began.
  int64_t latest_begin = 0;
  for (const auto& [number, change] : by_number) {
    EXPECT_GE(change.ended_us, latest_begin) << "number " << number << " was written too early";
    latest_begin = std::max(latest_begin, change.began_us);
  }
}

TEST(ConcurrentAccessTest, RandomLocksAndKillsKeepTheRules) {
  const TestRandom random;
  VolumeOptions options;
  options.lease_ms = kLeaseMs;
  options.control_point_interval_ms = kTickMs;
  TestVolume volume(options);
  volume.Open();
  ASSERT_TRUE(Await<FileInfo>([&](Done<FileInfo> done) {
                volume->Create(SmallFile(kFile, true), std::move(done));
              }).ok());
  for (int record = 0; record < kRecords; ++record) {
    const std::string text = SmallRecord(record, "0");
    Operation write;
    write.kind = OperationKind::kWrite;
    write.record = text;
    ASSERT_TRUE(RunOne(volume.volume(), Ref(), write).ok());
  }
  std::array<History, kRecords> histories;
  std::vector<std::thread> threads;
  for (int i = 0; i < kClients; ++i) {
    threads.emplace_back(
        [&, seed = random.seed() + i] { Client(volume.volume(), seed, histories).Run(); });
  }
  for (std::thread& thread : threads) thread.join();  // no waiter is forgotten
  // The last ones killed keep their locks for their lease, and no longer.
  while (LocksOf(volume.volume()) > 0) std::this_thread::yield();
  for (int record = 0; record < kRecords; ++record) {
    SCOPED_TRACE(record);
    const std::string key = SmallKey(record);
    Operation read;
    read.key = key;
    const absl::StatusOr<std::string> text = RunOne(volume.volume(), Ref(), read);
    ASSERT_TRUE(text.ok());
    uint64_t last = 0;
    ASSERT_TRUE(absl::SimpleAtoi(ToAbsl(std::string_view(*text).substr(4)), &last));
    ExpectOneOrderExplains(histories[record], last);
  }
}

}  // namespace
}  // namespace quire::test
