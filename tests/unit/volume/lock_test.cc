// Locks of opens at a volume (enscribe.md §9, R-S4).
#include "quire/lock.h"

#include "tests/unit/volume/access_fixture.h"

namespace quire::test {
namespace {

using K = OperationKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(AccessTest, AWaitingReadIsAnsweredWhenTheLockGoesAndHoldsUpNobody) {
  Fill(3);
  auto holder = User(1);
  auto reader = User(2);
  auto third = User(3);
  const std::string key = SmallKey(10);
  EXPECT_EQ(holder->Lock(key), "0");
  const size_t place = reader->Start(Keyed(K::kReadNext));
  AwaitWaiters(1);
  EXPECT_EQ(third->Do(Keyed(K::kRead, SmallKey(20))), "0 " + SmallRecord(20));
  EXPECT_EQ(holder->Do(Keyed(K::kUnlockRecord, key)), "0");
  EXPECT_EQ(reader->Answer(place), "0 " + SmallRecord(10));
  EXPECT_EQ(CounterOf(2, "REQUESTS-BLOCKED"), 1);
  EXPECT_GT(CounterOf(2, "LOCKWAIT-TIME"), 0);
  EXPECT_EQ(CounterOf(2, "MAX-LOCKWAIT-TIME"), CounterOf(2, "LOCKWAIT-TIME"));
  EXPECT_EQ(CounterOf(1, "REQUESTS-BLOCKED"), 0);
}

TEST_F(AccessTest, EveryModeMeetsALockAsItsRowSays) {
  Fill(3);
  auto holder = User(1);
  auto other = User(2);
  const std::string key = SmallKey(10);
  ASSERT_EQ(holder->Lock(key), "0");
  other->lock_timeout_ms = 1;
  struct Row {
    uint32_t mode;
    std::string read;
    std::string lock;
  };
  const std::string record = "0 " + SmallRecord(10);
  for (const Row& row :
       {Row{0, "40", "40"}, Row{1, "73", "73"}, Row{2, record, "40"}, Row{3, record, "73"},
        Row{6, record + " warning 9", "40"}, Row{7, record + " warning 9", "73"}}) {
    SCOPED_TRACE(row.mode);
    EXPECT_EQ(other->SetLockMode(row.mode), "0");
    EXPECT_EQ(other->Do(Keyed(K::kRead, key)), row.read);
    EXPECT_EQ(other->Lock(key), row.lock);
    const std::string changed = SmallRecord(10, "changed");
    EXPECT_EQ(other->Do(WithRecord(K::kUpdate, changed)), "73");  // R-S4
    EXPECT_EQ(other->Do(Keyed(K::kDelete, key)), "73");
  }
  EXPECT_EQ(other->SetLockMode(4), "2");
  EXPECT_EQ(CounterOf(2, "LOCK-TIMEOUTS"), 4);
  EXPECT_EQ(CounterOf(2, "LOCK-BOUNCES"), 12 + 4);
  EXPECT_EQ(Number(Write(kFile, SmallRecord(10))), 73);  // single calls obey locks
  EXPECT_THAT(Locks(), ElementsAre("R G 0010"));
}

TEST_F(AccessTest, AFileLockKeepsEverybodyOutAndOutranksOwnRecordLocks) {
  Fill(3);
  auto holder = User(1);
  auto other = User(2);
  ASSERT_EQ(holder->Lock(SmallKey(10)), "0");
  ASSERT_EQ(holder->Do(Keyed(K::kLockFile)), "0");
  EXPECT_THAT(Locks(), ElementsAre("F G "));
  EXPECT_EQ(holder->Lock(SmallKey(20)), "0");
  EXPECT_THAT(Locks(), ElementsAre("F G "));
  const std::string record = SmallRecord(25);
  EXPECT_EQ(other->Do(WithRecord(K::kWrite, record)), "73");
  EXPECT_EQ(holder->Do(WithRecord(K::kWrite, record)), "0");
  EXPECT_EQ(other->SetLockMode(1), "0");
  EXPECT_EQ(other->ReadNext(), "73");
  EXPECT_EQ(holder->Do(Keyed(K::kUnlockFile)), "0");
  EXPECT_EQ(other->ReadNext(), "0 " + SmallRecord(10));
  EXPECT_THAT(Locks(), IsEmpty());
}

TEST_F(AccessTest, WaitersAreServedInOrderAndCloseReleases) {
  Fill(1);
  const std::string key = SmallKey(10);
  auto holder = User(1);
  ASSERT_EQ(holder->Lock(key), "0");
  auto second = User(2);
  auto third = User(3);
  const size_t second_place = second->Start(Keyed(K::kLockRecord, key));
  AwaitWaiters(1);
  const size_t third_place = third->Start(Keyed(K::kLockRecord, key));
  AwaitWaiters(2);
  EXPECT_TRUE(holder->session().Close().ok());
  EXPECT_EQ(second->Answer(second_place), "0");
  AwaitWaiters(1);
  EXPECT_TRUE(second->session().Close().ok());
  EXPECT_EQ(third->Answer(third_place), "0");
  EXPECT_THAT(Locks(), ElementsAre("R G 0010"));
}

TEST_F(AccessTest, ReadLockLocksTheRecordItGives) {
  Fill(2);
  const std::string key = SmallKey(10);
  auto holder = User(1);
  ASSERT_EQ(holder->Lock(key), "0");
  auto reader = User(2);
  Operation read = Keyed(K::kReadNext);
  read.lock = true;
  const size_t place = reader->Start(read);
  AwaitWaiters(1);
  // The record waited for goes: the next one is read and locked, and no other.
  Operation erase = Keyed(K::kDelete, key);
  erase.unlock = true;
  EXPECT_EQ(holder->Do(erase), "0");
  EXPECT_EQ(reader->Answer(place), "0 " + SmallRecord(20));
  EXPECT_THAT(Locks(), ElementsAre("R G 0020"));
  const std::string changed = SmallRecord(20, "changed");
  Operation update = WithRecord(K::kWriteUpdate, changed);
  update.unlock = true;
  EXPECT_EQ(reader->Do(update), "0");
  EXPECT_THAT(Locks(), IsEmpty());
}

TEST_F(AccessTest, ADeletedRecordStaysLocked) {
  Fill(2);
  const std::string key = SmallKey(10);
  auto holder = User(1);
  auto other = User(2);
  ASSERT_EQ(holder->Lock(key), "0");
  EXPECT_EQ(holder->Do(Keyed(K::kDelete, key)), "0");
  const std::string record = SmallRecord(10);
  EXPECT_EQ(other->Do(WithRecord(K::kWrite, record)), "73");
  EXPECT_EQ(holder->Do(Keyed(K::kUnlockRecord, key)), "0");
  EXPECT_EQ(other->Do(WithRecord(K::kWrite, record)), "0");
}

TEST_F(AccessTest, ACycleIsFoundAndNamed) {
  Fill(2);
  const std::string one = SmallKey(10);
  const std::string two = SmallKey(20);
  auto first = User(1);
  auto second = User(2);
  ASSERT_EQ(first->Lock(one), "0");
  ASSERT_EQ(second->Lock(two), "0");
  const size_t place = first->Start(Keyed(K::kLockRecord, two));
  AwaitWaiters(1);
  const BatchResult refused = second->Send(Keyed(K::kLockRecord, one));
  EXPECT_EQ(Number(refused.results[0].status), 40);
  const std::string text = Describe(refused.results[0].status);
  EXPECT_THAT(text, HasSubstr("open 2 (test) waits for a record \"0010\""));
  EXPECT_THAT(text, HasSubstr("locked by open 1 (test)"));
  EXPECT_EQ(second->Do(Keyed(K::kUnlockFile)), "0");
  EXPECT_EQ(first->Answer(place), "0");
}

TEST_F(AccessTest, CancelEndsAWaitAndWhatHasNotBegun) {
  Fill(2);
  const std::string key = SmallKey(10);
  auto holder = User(1);
  ASSERT_EQ(holder->Lock(key), "0");
  auto user = User(2);
  const uint64_t waiting = user->next_sequence();
  const size_t first = user->Start(Keyed(K::kLockRecord, key));
  const uint64_t behind = user->next_sequence();
  const std::string record = SmallRecord(30);
  const size_t second = user->Start(WithRecord(K::kWrite, record));
  const size_t third = user->Start(Keyed(K::kReadNext));
  AwaitWaiters(1);
  user->session().Cancel(behind);
  user->session().Cancel(waiting);
  EXPECT_EQ(user->Answer(first), "40");
  EXPECT_EQ(user->Answer(second), "40");
  user->session().Cancel(behind);  // too late: nothing
  EXPECT_EQ(Number(Read(kFile, SmallKey(30)).status()), 11);
  AwaitWaiters(1);  // the READ behind them waits in its turn
  EXPECT_EQ(holder->Do(Keyed(K::kUnlockRecord, key)), "0");
  EXPECT_EQ(user->Answer(third), "0 " + SmallRecord(10));
}

TEST_F(AccessTest, TooManyLocksAreRefusedAndNothingElse) {
  volume_.Close();
  volume_.options().locks_per_open = 3;
  volume_.options().locks_per_volume = 4;
  volume_.Open();
  Fill(6);
  auto first = User(1);
  auto second = User(2);
  for (int i = 1; i <= 3; ++i) ASSERT_EQ(first->Lock(SmallKey(i * 10)), "0");
  EXPECT_EQ(first->Lock(SmallKey(40)), "35");
  EXPECT_EQ(first->Lock(SmallKey(10)), "0");  // it has that one
  EXPECT_EQ(second->Lock(SmallKey(40)), "0");
  EXPECT_EQ(second->Lock(SmallKey(50)), "31");
  EXPECT_EQ(second->ReadNext(), "31");  // it would have to wait, and a waiter takes room too
  EXPECT_EQ(first->Do(Keyed(K::kUnlockRecord, SmallKey(10))), "0");
  EXPECT_EQ(second->Lock(SmallKey(50)), "0");
  EXPECT_EQ(second->ReadNext(), "0 " + SmallRecord(10));
}

TEST_F(AccessTest, ScansIgnoreLocksUnlessTheySayOtherwise) {  // R-A2
  Fill(4);
  auto holder = User(1);
  ASSERT_EQ(holder->Lock(SmallKey(30)), "0");
  ScanRequest scan;
  scan.file = Ref(kFile);
  EXPECT_EQ(ScanAll(volume_.volume(), scan)->size(), 4U);
  for (const LockMode mode : {LockMode::kReadThrough, LockMode::kReadWarn}) {
    scan.lock_mode = mode;
    EXPECT_EQ(ScanAll(volume_.volume(), scan)->size(), 4U);
  }
  for (const bool reverse : {false, true}) {
    scan.reverse = reverse;
    scan.lock_mode = LockMode::kReject;
    const std::unique_ptr<ScanStream> stream = volume_->Scan(scan);
    const auto next = [&] {
      return Await<ScanPage>([&](Done<ScanPage> done) { stream->Next(std::move(done)); });
    };
    const absl::StatusOr<ScanPage> page = next();
    ASSERT_TRUE(page.ok());
    EXPECT_EQ(page->chunk.size(), reverse ? 1U : 2U);
    EXPECT_EQ(page->chunk.last_key, SmallKey(reverse ? 40 : 20));
    EXPECT_FALSE(page->end);
    EXPECT_EQ(Number(next().status()), 73);
  }
  scan.reverse = true;
  scan.lock_mode = LockMode::kNormal;
  scan.lock_timeout_ms = 1;
  EXPECT_EQ(Number(ScanAll(volume_.volume(), scan).status()), 40);
}

TEST_F(AccessTest, AWaitingScanGoesOnWhenTheLockGoes) {
  Fill(3);
  auto holder = User(1);
  ASSERT_EQ(holder->Lock(SmallKey(10)), "0");
  ScanRequest scan;
  scan.file = Ref(kFile);
  scan.lock_mode = LockMode::kNormal;
  scan.file.open_id = 9;
  auto scanner = User(9);
  const int64_t before = CounterOf(9, "REQUESTS");
  const std::unique_ptr<ScanStream> stream = volume_->Scan(scan);
  std::promise<absl::StatusOr<ScanPage>> promise;
  stream->Next([&](absl::StatusOr<ScanPage> page) { promise.set_value(std::move(page)); });
  AwaitWaiters(1);
  EXPECT_EQ(holder->Do(Keyed(K::kUnlockFile)), "0");
  const absl::StatusOr<ScanPage> page = promise.get_future().get();
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->chunk.size(), 3U);
  EXPECT_EQ(CounterOf(9, "REQUESTS") - before, 1);  // R-C3: one per chunk, also when it waited
}

TEST_F(AccessTest, StoppingTheVolumeEndsWaits) {
  Fill(1);
  auto holder = User(1);
  auto waiter = User(2);
  ASSERT_EQ(holder->Lock(SmallKey(10)), "0");
  const std::string key = SmallKey(10);
  const size_t place = waiter->Start(Keyed(K::kLockRecord, key));
  AwaitWaiters(1);
  volume_.Close();
  EXPECT_EQ(waiter->Answer(place), "40");
}

}  // namespace
}  // namespace quire::test
