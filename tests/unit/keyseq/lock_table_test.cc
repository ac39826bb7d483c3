// The rules of locks (enscribe.md §9, R-S4), one test each. lock_table_model_test.cc tries them at
// random.
#include "server/keyseq/lock_table.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/unit/keyseq/lock_names.h"

namespace quire {
namespace {

class LockTableTest : public testing::Test {
 protected:
  LockAnswer LockRecord(uint64_t owner, std::string_view key, WaiterId waiter = 0,
                        FileId file = kStock) {
    return table_.Acquire({file, owner, LockKind::kRecord, key, ++now_us_}, waiter);
  }
  LockAnswer LockFile(uint64_t owner, WaiterId waiter = 0, FileId file = kStock) {
    return table_.Acquire({file, owner, LockKind::kFile, "", ++now_us_}, waiter);
  }
  LockAnswer Read(uint64_t owner, std::string_view key, WaiterId waiter = 0) {
    return table_.AwaitRead({kStock, owner, LockKind::kRecord, key, ++now_us_}, waiter);
  }
  Waiters Unlock(uint64_t owner, std::string_view key) {
    table_.ReleaseRecord(kStock, owner, key);
    return table_.TakeGranted();
  }
  Waiters UnlockFile(uint64_t owner, FileId file = kStock) {
    table_.ReleaseFile(file, owner);
    return table_.TakeGranted();
  }
  Waiters Close(uint64_t owner) {
    table_.ReleaseOwner(owner);
    return table_.TakeGranted();
  }
  Waiters Cancel(WaiterId waiter) {
    table_.CancelWait(waiter);
    return table_.TakeGranted();
  }

  LockTable table_;
  int64_t now_us_ = 0;
};

TEST_F(LockTableTest, LocksAreExclusiveBetweenOpens) {
  EXPECT_FALSE(table_.HasLocks(kStock));
  EXPECT_EQ(LockRecord(kAnna, "a"), kGranted);
  EXPECT_EQ(LockRecord(kBen, "a"), kLocked);
  EXPECT_EQ(LockRecord(kBen, "b"), kGranted);
  EXPECT_EQ(LockRecord(kBen, "a", 0, kOrders), kGranted);  // another file
  EXPECT_EQ(LockFile(kBen), kLocked);
  EXPECT_TRUE(table_.HasLocks(kStock));
  EXPECT_TRUE(table_.HoldsRecord(kStock, kAnna, "a"));
  EXPECT_FALSE(table_.HoldsRecord(kStock, kBen, "a"));
  EXPECT_EQ(table_.Held(kBen), 2u);
  EXPECT_EQ(table_.Held(kStock, kBen), 1u);
  EXPECT_EQ(table_.total(), 3u);
}

TEST_F(LockTableTest, OwnLocksNeverBlock) {
  EXPECT_EQ(LockRecord(kAnna, "a"), kGranted);
  EXPECT_EQ(LockRecord(kAnna, "a"), kGranted);  // a lock held is granted again, and counts once
  EXPECT_EQ(table_.Held(kAnna), 1u);
  EXPECT_EQ(Read(kAnna, "a"), kGranted);
  EXPECT_FALSE(table_.LockedByOther(kStock, kAnna, "a"));
  EXPECT_EQ(LockFile(kAnna), kGranted);
  EXPECT_EQ(LockFile(kAnna), kGranted);
  EXPECT_EQ(Read(kAnna, "a"), kGranted);
}

// What gives a writer 73 at once.
TEST_F(LockTableTest, S4LockedByOtherSeesRecordAndFileLocks) {
  EXPECT_FALSE(table_.LockedByOther(kStock, kBen, "a"));
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  EXPECT_TRUE(table_.LockedByOther(kStock, kBen, "a"));
  EXPECT_FALSE(table_.LockedByOther(kStock, kBen, "b"));
  ASSERT_EQ(LockFile(kAnna), kGranted);
  EXPECT_TRUE(table_.LockedByOther(kStock, kBen, "b"));
  EXPECT_FALSE(table_.LockedByOther(kOrders, kBen, "b"));
}

TEST_F(LockTableTest, FileLockOutranksOwnRecordRequests) {
  ASSERT_EQ(LockFile(kAnna), kGranted);
  EXPECT_EQ(LockRecord(kAnna, "a"), kGranted);
  EXPECT_FALSE(table_.HoldsRecord(kStock, kAnna, "a"));
  EXPECT_EQ(table_.Held(kAnna), 1u);
  EXPECT_EQ(Unlock(kAnna, "a"), Waiters{});
  EXPECT_TRUE(table_.HoldsFile(kStock, kAnna));
  UnlockFile(kAnna);
  EXPECT_FALSE(table_.HasLocks(kStock));
}

TEST_F(LockTableTest, GettingTheFileLockGivesUpOwnRecordLocks) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kAnna, "b"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "a", 1), kWaits);
  EXPECT_EQ(LockFile(kAnna), kGranted);  // Ben waits for Anna, so she is not behind him
  EXPECT_EQ(table_.TakeGranted(), Waiters{});
  EXPECT_EQ(table_.Held(kStock, kAnna), 1u);
  EXPECT_FALSE(table_.HoldsRecord(kStock, kAnna, "a"));
  EXPECT_TRUE(table_.LockedByOther(kStock, kBen, "a"));
  EXPECT_EQ(UnlockFile(kAnna), Waiters{1});
  EXPECT_TRUE(table_.HoldsRecord(kStock, kBen, "a"));
  EXPECT_EQ(LockRecord(kCleo, "b"), kGranted);
}

TEST_F(LockTableTest, UnlockFileReleasesAllRecordLocksOfTheOpenInTheFile) {
  ASSERT_EQ(LockRecord(kAnna, "b"), kGranted);
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kAnna, "a", 0, kOrders), kGranted);
  ASSERT_EQ(LockRecord(kBen, "c"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "b", 1), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "a", 2), kWaits);
  EXPECT_EQ(UnlockFile(kAnna), (Waiters{1, 2}));  // in order of arrival, over all records
  EXPECT_EQ(table_.Held(kAnna), 1u);
  EXPECT_TRUE(table_.HoldsRecord(kStock, kBen, "c"));
}

TEST_F(LockTableTest, UnlockingWhatIsNotHeldChangesNothing) {
  EXPECT_EQ(Unlock(kAnna, "a"), Waiters{});
  EXPECT_EQ(UnlockFile(kAnna), Waiters{});
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  EXPECT_EQ(Unlock(kBen, "a"), Waiters{});
  EXPECT_EQ(UnlockFile(kBen), Waiters{});
  EXPECT_EQ(Close(kBen), Waiters{});
  EXPECT_EQ(Cancel(99), Waiters{});
  EXPECT_TRUE(table_.HoldsRecord(kStock, kAnna, "a"));
}

TEST_F(LockTableTest, RecordQueueIsFirstComeFirstServed) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "a", 1), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "a", 2), kWaits);
  EXPECT_EQ(table_.total(), 3u);
  EXPECT_EQ(Unlock(kAnna, "a"), Waiters{1});
  EXPECT_TRUE(table_.HoldsRecord(kStock, kBen, "a"));
  EXPECT_EQ(LockRecord(kAnna, "a", 3), kWaits);
  EXPECT_EQ(Unlock(kBen, "a"), Waiters{2});
  EXPECT_EQ(Unlock(kCleo, "a"), Waiters{3});
  EXPECT_EQ(Unlock(kAnna, "a"), Waiters{});
  EXPECT_FALSE(table_.HasLocks(kStock));
  EXPECT_EQ(table_.total(), 0u);
}

TEST_F(LockTableTest, PlainReadsWaitInTheSameQueue) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  EXPECT_EQ(Read(kBen, "a"), kLocked);
  EXPECT_EQ(Read(kBen, "b"), kGranted);
  ASSERT_EQ(Read(kBen, "a", 1), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "a", 2), kWaits);
  ASSERT_EQ(Read(kDora, "a", 3), kWaits);
  EXPECT_EQ(Unlock(kAnna, "a"), (Waiters{1, 2}));  // the read holds nothing, the lock does
  EXPECT_EQ(table_.Held(kBen), 0u);
  EXPECT_EQ(Unlock(kCleo, "a"), Waiters{3});
  EXPECT_FALSE(table_.HasLocks(kStock));
}

TEST_F(LockTableTest, ReadsAreHeldUpByLocksAndNotByRequests) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockFile(kBen, 1), kWaits);
  EXPECT_EQ(Read(kCleo, "b"), kGranted);
  ASSERT_EQ(Read(kCleo, "a", 2), kWaits);
  // The read waited at the record, the file request for all of them.
  EXPECT_EQ(Unlock(kAnna, "a"), (Waiters{2, 1}));
  ASSERT_EQ(Read(kCleo, "a", 3), kWaits);
  ASSERT_EQ(LockFile(kAnna, 4), kWaits);
  ASSERT_EQ(Read(kDora, "a", 5), kWaits);
  EXPECT_EQ(UnlockFile(kBen), (Waiters{3, 4}));
  EXPECT_EQ(UnlockFile(kAnna), Waiters{5});
}

TEST_F(LockTableTest, FileQueueIsFirstComeFirstServedAndNobodyStarves) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockFile(kBen, 1), kWaits);
  EXPECT_EQ(LockRecord(kCleo, "c"), kLocked);  // free, but Ben comes first
  ASSERT_EQ(LockRecord(kCleo, "c", 2), kWaits);
  ASSERT_EQ(LockRecord(kDora, "d", 3), kWaits);
  EXPECT_EQ(Unlock(kAnna, "a"), Waiters{1});
  EXPECT_TRUE(table_.HoldsFile(kStock, kBen));
  EXPECT_EQ(UnlockFile(kBen), (Waiters{2, 3}));
  ASSERT_EQ(LockFile(kBen, 4), kWaits);
  ASSERT_EQ(LockFile(kAnna, 5), kWaits);
  EXPECT_EQ(Unlock(kCleo, "c"), Waiters{});
  EXPECT_EQ(Unlock(kDora, "d"), Waiters{4});
  EXPECT_EQ(UnlockFile(kBen), Waiters{5});
}

TEST_F(LockTableTest, AnOpenWithALockInTheFileIsNotBehindThoseThatWaitForIt) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockFile(kBen, 1), kWaits);
  EXPECT_EQ(LockRecord(kAnna, "b"), kGranted);
  ASSERT_EQ(LockRecord(kCleo, "c", 2), kWaits);  // behind Ben
  EXPECT_EQ(LockRecord(kAnna, "c"), kGranted);   // Cleo waits for Ben, who waits for Anna
  EXPECT_EQ(LockFile(kAnna), kGranted);
  EXPECT_EQ(UnlockFile(kAnna), Waiters{1});
  EXPECT_EQ(UnlockFile(kBen), Waiters{2});
}

TEST_F(LockTableTest, FileRequestOfAHolderWaitsForTheOthersOnly) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "b"), kGranted);
  ASSERT_EQ(LockFile(kCleo, 1), kWaits);
  ASSERT_EQ(LockFile(kAnna, 2), kWaits);
  EXPECT_EQ(Unlock(kBen, "b"), Waiters{2});
  EXPECT_EQ(table_.Held(kAnna), 1u);
  EXPECT_EQ(UnlockFile(kAnna), Waiters{1});
}

TEST_F(LockTableTest, CancelledFileRequestLetsTheOthersOn) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockFile(kBen, 1), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "c", 2), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "a", 3), kWaits);
  ASSERT_EQ(LockFile(kDora, 4), kWaits);
  EXPECT_EQ(Cancel(1), Waiters{2});
  EXPECT_EQ(Cancel(1), Waiters{});
  EXPECT_EQ(Unlock(kAnna, "a"), Waiters{3});  // past the gate: before Dora
  EXPECT_EQ(Unlock(kCleo, "a"), Waiters{});
  EXPECT_EQ(Unlock(kCleo, "c"), Waiters{4});
}

TEST_F(LockTableTest, CancelledRecordRequestLeavesTheQueueInOrder) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "a", 1), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "a", 2), kWaits);
  EXPECT_EQ(Cancel(1), Waiters{});
  EXPECT_EQ(table_.total(), 2u);
  EXPECT_EQ(Unlock(kAnna, "a"), Waiters{2});
  EXPECT_EQ(Cancel(2), Waiters{});  // granted already: it holds
  EXPECT_TRUE(table_.HoldsRecord(kStock, kCleo, "a"));
}

TEST_F(LockTableTest, CloseReleasesEverythingAndItsWaits) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockFile(kAnna, 0, kOrders), kGranted);
  ASSERT_EQ(LockRecord(kBen, "b"), kGranted);
  ASSERT_EQ(LockRecord(kAnna, "b", 1), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "b", 2), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "a", 3), kWaits);
  ASSERT_EQ(LockRecord(kDora, "z", 4, kOrders), kWaits);
  EXPECT_EQ(Close(kAnna), (Waiters{3, 4}));
  EXPECT_EQ(table_.Held(kAnna), 0u);
  EXPECT_EQ(Unlock(kBen, "b"), Waiters{2});
}

TEST_F(LockTableTest, CloseTakesBackWhatWasGrantedAndNotTold) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "a", 1), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "a", 2), kWaits);
  table_.ReleaseRecord(kStock, kAnna, "a");
  table_.ReleaseOwner(kBen);
  EXPECT_EQ(table_.TakeGranted(), Waiters{2});
  EXPECT_EQ(table_.TakeGranted(), Waiters{});
}

TEST_F(LockTableTest, CycleOfTwoIsNamed) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "b", 0, kOrders), kGranted);
  ASSERT_EQ(LockRecord(kBen, "a", 1), kWaits);
  EXPECT_EQ(LockRecord(kAnna, "b", 2, kOrders), kCycle);
  const std::vector<CycleStep> cycle = {{kAnna, kOrders, LockKind::kRecord, "b", kBen, true},
                                        {kBen, kStock, LockKind::kRecord, "a", kAnna, true}};
  EXPECT_EQ(table_.last_cycle(), cycle);
  EXPECT_EQ(table_.total(), 3u);
  // The refused request left nothing behind.
  EXPECT_EQ(Close(kAnna), Waiters{1});
  EXPECT_EQ(Close(kBen), Waiters{});
  EXPECT_FALSE(table_.HasLocks(kOrders));
}

TEST_F(LockTableTest, CycleThroughReadsAndQueuesIsFound) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "b"), kGranted);
  ASSERT_EQ(LockRecord(kCleo, "c"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "a", 1), kWaits);
  ASSERT_EQ(LockRecord(kCleo, "a", 2), kWaits);  // waits for Anna and for Ben before it
  EXPECT_EQ(Read(kAnna, "c", 3), kCycle);
  EXPECT_EQ(Read(kAnna, "c"), kLocked);
  EXPECT_EQ(Unlock(kAnna, "a"), Waiters{1});
  // Cleo now waits for Ben, as holder.
  EXPECT_EQ(Read(kBen, "c", 3), kCycle);
  EXPECT_EQ(Read(kAnna, "c", 4), kWaits);
}

TEST_F(LockTableTest, CycleThroughAnEarlierRequestSaysSo) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kCleo, "c", 0, kOrders), kGranted);
  ASSERT_EQ(LockRecord(kBen, "a", 1), kWaits);
  ASSERT_EQ(LockRecord(kBen, "c", 2, kOrders), kWaits);  // a second call of the same open
  EXPECT_EQ(LockRecord(kCleo, "a", 3), kCycle);
  const std::vector<CycleStep> cycle = {{kCleo, kStock, LockKind::kRecord, "a", kBen, false},
                                        {kBen, kOrders, LockKind::kRecord, "c", kCleo, true}};
  EXPECT_EQ(table_.last_cycle(), cycle);
}

TEST_F(LockTableTest, TwoHoldersThatBothWantTheFileAreACycle) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "b"), kGranted);
  ASSERT_EQ(LockFile(kAnna, 1), kWaits);
  EXPECT_EQ(LockFile(kBen, 2), kCycle);
  EXPECT_EQ(Unlock(kBen, "b"), Waiters{1});
}

TEST_F(LockTableTest, WaitersOnOwnRecordsAreNoCycleForAFileRequest) {
  ASSERT_EQ(LockRecord(kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(kBen, "b"), kGranted);
  ASSERT_EQ(LockRecord(kCleo, "a", 1), kWaits);
  ASSERT_EQ(LockFile(kAnna, 2), kWaits);  // for Ben only
  EXPECT_EQ(Unlock(kBen, "b"), Waiters{2});
  EXPECT_EQ(UnlockFile(kAnna), Waiters{1});
}

TEST_F(LockTableTest, LimitsCountHeldAndWaiting) {
  LockTable table({2, 3});
  const auto lock = [&](uint64_t owner, std::string_view key, WaiterId waiter) {
    return table.Acquire({kStock, owner, LockKind::kRecord, key, 0}, waiter);
  };
  EXPECT_EQ(lock(kAnna, "a", 0), kGranted);
  EXPECT_EQ(lock(kBen, "b", 0), kGranted);
  EXPECT_EQ(lock(kAnna, "b", 1), kWaits);
  EXPECT_EQ(lock(kAnna, "c", 0), LockAnswer::kOpenLimit);
  EXPECT_EQ(table.AwaitRead({kStock, kAnna, LockKind::kRecord, "b", 0}, 2), LockAnswer::kOpenLimit);
  EXPECT_EQ(lock(kCleo, "c", 0), LockAnswer::kVolumeLimit);
  EXPECT_EQ(lock(kBen, "a", 2), LockAnswer::kVolumeLimit);
  EXPECT_EQ(lock(kAnna, "a", 0), kGranted);  // held already
  EXPECT_EQ(lock(kCleo, "a", 0), kLocked);
  table.CancelWait(1);
  EXPECT_EQ(lock(kAnna, "c", 0), kGranted);
  table.ReleaseOwner(kBen);
  // In exchange for the record locks.
  EXPECT_EQ(table.Acquire({kStock, kAnna, LockKind::kFile, "", 0}, 0), kGranted);
  EXPECT_EQ(table.total(), 1u);
}

TEST_F(LockTableTest, ListShowsFileLockThenKeysHolderBeforeWaiters) {
  ASSERT_EQ(LockRecord(kAnna, "b"), kGranted);  // 1 µs
  ASSERT_EQ(table_.Acquire({kStock, kAnna, LockKind::kGeneric, "a", 2}, 0), kGranted);
  ASSERT_EQ(table_.AwaitRead({kStock, kBen, LockKind::kGeneric, "a", 3}, 1), kWaits);
  now_us_ = 3;
  ASSERT_EQ(LockFile(kCleo, 2), kWaits);
  ASSERT_EQ(LockRecord(kDora, "a", 3), kWaits);
  const std::vector<LockLine> lines = {
      {LockKind::kFile, false, false, kCleo, "", 4},
      {LockKind::kGeneric, true, false, kAnna, "a", 2},
      {LockKind::kGeneric, false, true, kBen, "a", 3},
      {LockKind::kRecord, false, false, kDora, "a", 5},
      {LockKind::kRecord, true, false, kAnna, "b", 1},
  };
  EXPECT_EQ(table_.List(kStock), lines);
  ASSERT_EQ(Close(kAnna), (Waiters{1, 2}));
  const std::vector<LockLine> then = {{LockKind::kFile, true, false, kCleo, "", 4},
                                      {LockKind::kRecord, false, false, kDora, "a", 5}};
  EXPECT_EQ(table_.List(kStock), then);
  EXPECT_TRUE(table_.List(kOrders).empty());
}

// A release looks at the locks of its owner and at their queues, not at all locks: with a look at
// all of them these would be 10^10 steps.
TEST_F(LockTableTest, ManyLocksAndWaitersCostTheirOwnWorkOnly) {
  constexpr uint32_t kMany = 20000;
  for (uint32_t i = 0; i < kMany; ++i) {
    ASSERT_EQ(LockRecord(kAnna, std::to_string(i)), kGranted);
    ASSERT_EQ(LockRecord(1000 + i, std::to_string(i / 2), 1 + i), kWaits);
    ASSERT_EQ(LockFile(100000 + i, 100000 + i, kOrders), i == 0 ? kGranted : kWaits);
  }
  EXPECT_EQ(LockRecord(kAnna, "x"), LockAnswer::kOpenLimit);
  for (uint32_t i = 0; i < kMany / 2; ++i) {
    ASSERT_EQ(Unlock(kAnna, std::to_string(i)), Waiters{1 + 2 * i});
  }
  EXPECT_EQ(Close(kAnna).size(), 0u);
  for (uint32_t i = 0; i < kMany; ++i) {
    ASSERT_EQ(Close(100000 + i).size(), i + 1 == kMany ? 0u : 1u);
    ASSERT_EQ(Close(1000 + i).size(), i % 2 == 0 ? 1u : 0u);
  }
  EXPECT_EQ(table_.total(), 0u);
}

}  // namespace
}  // namespace quire
