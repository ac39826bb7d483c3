// Positions of opens at a volume (enscribe.md §7, R-S5, R-S7).
#include "tests/unit/volume/access_fixture.h"

namespace quire::test {
namespace {

using K = OperationKind;

TEST_F(AccessTest, ReadGoesOnFromRecordToRecordAndAnswers1AtTheEnd) {
  Fill(3);
  auto user = User();
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(20));
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(30));
  EXPECT_EQ(user->ReadNext(), "1");
  // A failed READ leaves the position: what comes behind later is found.
  ASSERT_TRUE(Write(kFile, SmallRecord(40)).ok());
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(40));
}

TEST_F(AccessTest, PositionSurvivesWhatOthersDo) {
  Fill(5);
  auto user = User();
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  ASSERT_TRUE(Delete(kFile, SmallKey(10)).ok());
  ASSERT_TRUE(Delete(kFile, SmallKey(20)).ok());
  for (int i = 11; i < 20; ++i) ASSERT_TRUE(Write(kFile, SmallRecord(i)).ok());
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(11));
}

TEST_F(AccessTest, WriteLeavesThePosition) {
  Fill(3);
  auto user = User();
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  const std::string record = SmallRecord(25);
  EXPECT_EQ(user->Do(WithRecord(K::kWrite, record)), "0");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(20));
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(25));
}

TEST_F(AccessTest, ReadUpdateAndWriteUpdateAnswer11WhereReadAnswers1) {
  Fill(2);
  auto user = User();
  const std::string key = SmallKey(15);
  EXPECT_EQ(user->SetPosition(key), "0");
  EXPECT_EQ(user->Do(Keyed(K::kReadUpdate)), "11");
  const std::string record = SmallRecord(15);
  EXPECT_EQ(user->Do(WithRecord(K::kWriteUpdate, record)), "11");
  EXPECT_EQ(user->Do(Keyed(K::kDeleteCurrent)), "11");
  EXPECT_EQ(user->Do(Keyed(K::kLockRecord)), "11");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(20));
  EXPECT_EQ(user->ReadNext(), "1");
}

TEST_F(AccessTest, CurrentRecordIsReadChangedAndDeleted) {
  Fill(3);
  auto user = User();
  EXPECT_EQ(user->Do(Keyed(K::kReadUpdate)), "11");  // nothing is current yet
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  const std::string changed = SmallRecord(10, "changed");
  EXPECT_EQ(user->Do(WithRecord(K::kWriteUpdate, changed)), "0");
  EXPECT_EQ(user->Do(Keyed(K::kReadUpdate)), "0 " + changed);
  const std::string other = SmallRecord(20, "changed");
  EXPECT_EQ(user->Do(WithRecord(K::kWriteUpdate, other)), "46");
  EXPECT_EQ(user->Do(WithRecord(K::kWriteUpdate, "")), "21");  // R-S7
  EXPECT_EQ(user->Do(Keyed(K::kDeleteCurrent)), "0");
  EXPECT_EQ(user->Do(Keyed(K::kReadUpdate)), "11");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(20));
}

TEST_F(AccessTest, GenericAndExactSubsetsEnd) {
  Fill(25);
  auto user = User();
  EXPECT_EQ(user->SetPosition("002", ReadMode::kGeneric), "0");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(20));
  EXPECT_EQ(user->ReadNext(), "1");
  EXPECT_EQ(user->ReadNext(), "1");
  const std::string key = SmallKey(100);
  EXPECT_EQ(user->SetPosition(key, ReadMode::kByKey), "0");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(100));
  EXPECT_EQ(user->ReadNext(), "1");
  EXPECT_EQ(user->SetPosition("01", ReadMode::kByKey), "0");
  EXPECT_EQ(user->ReadNext(), "1");  // R-S6: exact with a shorter key
}

TEST_F(AccessTest, SavedPositionsAreRestored) {
  Fill(4);
  auto user = User();
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  const BatchResult saved = user->Send(Keyed(K::kSavePosition));
  ASSERT_TRUE(saved.results[0].status.ok());
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(20));
  EXPECT_EQ(user->Do(Keyed(K::kRestorePosition, saved.record(0))), "0");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(20));
  EXPECT_EQ(user->Do(Keyed(K::kRestorePosition, "nonsense")), "22");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(30));
}

TEST_F(AccessTest, WrongPositionsAreRefusedAndLeaveTheOldOne) {
  Fill(2);
  auto user = User();
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  EXPECT_EQ(user->SetPosition("00100"), "21");
  Operation set = Keyed(K::kSetPosition, "00");
  set.compare_length = 3;
  EXPECT_EQ(user->Do(set), "21");
  set.compare_length = 0;
  set.key_specifier = 7;
  EXPECT_EQ(user->Do(set), "46");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(20));
}

TEST_F(AccessTest, ABatchMayBringItsPosition) {  // what a router of several partitions sends
  Fill(3);
  auto user = User();
  OperationBatch batch;
  batch.Add(Keyed(K::kReadNext));
  batch.position.emplace();
  batch.position->key = SmallKey(15);
  EXPECT_EQ(user->Answer(user->Start(batch)), "0 " + SmallRecord(20));
  batch.position->key = "00150";
  EXPECT_EQ(user->Answer(user->Start(batch)), "22");
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(30));
}

TEST_F(AccessTest, SingleCallsHaveNoPositionAndNoLocks) {
  Fill(1);
  for (const K kind : {K::kReadNext, K::kSetPosition, K::kLockFile, K::kSetLockMode,
                       K::kDeleteCurrent, K::kSavePosition}) {
    EXPECT_EQ(Number(RunOne(volume_.volume(), Ref(kFile), Keyed(kind)).status()), 22);
  }
  const std::string key = SmallKey(10);
  Operation read = Keyed(K::kRead, key);
  read.lock = true;
  EXPECT_EQ(Number(RunOne(volume_.volume(), Ref(kFile), read).status()), 22);
}

TEST_F(AccessTest, RC2SequentialReadCountsOneCallPerRecord) {
  Fill(9);
  auto user = User(77);
  EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(10));
  const int64_t descent = CounterOf(77, "CACHE-HITS");
  for (int i = 2; i <= 4; ++i) EXPECT_EQ(user->ReadNext(), "0 " + SmallRecord(i * 10));
  const int64_t calls = CounterOf(77, "CACHE-HITS") - descent;
  EXPECT_GE(calls, 3);
  EXPECT_LE(calls, 3 + 2);  // at most one more where a block ended
}

}  // namespace
}  // namespace quire::test
