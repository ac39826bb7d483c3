// A file lock that is taken back, because another partition refused it: as if it had not been asked
// for (R-S5).
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "tests/unit/keyseq/lock_names.h"

namespace quire {
namespace {

LockAnswer LockRecord(LockTable& table, uint64_t owner, std::string_view key, WaiterId waiter = 0,
                      FileId file = kStock) {
  return table.Acquire({file, owner, LockKind::kRecord, key, 1}, waiter);
}

LockAnswer LockFile(LockTable& table, uint64_t owner) {
  return table.Acquire({kStock, owner, LockKind::kFile, "", 2}, 0);
}

TEST(LockTakeBack, RecordLocksThatTheFileLockReplacedAreHeldAgain) {
  LockTable table;
  ASSERT_EQ(LockRecord(table, kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(table, kAnna, "b"), kGranted);
  const std::vector<LockLine> before = table.List(kStock);
  ASSERT_EQ(LockFile(table, kAnna), kGranted);
  ASSERT_EQ(LockRecord(table, kBen, "b", 1), kWaits);
  ASSERT_EQ(LockRecord(table, kCleo, "c", 2), kWaits);
  table.TakeBackFile(kStock, kAnna);
  EXPECT_EQ(table.TakeGranted(), Waiters{2});
  EXPECT_TRUE(table.HoldsRecord(kStock, kCleo, "c"));
  table.ReleaseOwner(kCleo);
  table.CancelWait(1);
  EXPECT_EQ(table.List(kStock), before);
  EXPECT_EQ(table.Held(kAnna), 2u);
  table.ReleaseFile(kStock, kAnna);
  EXPECT_EQ(table.total(), 0u);
}

TEST(LockTakeBack, WhoWaitedForAReplacedLockGetsItAfterItsOwner) {
  LockTable table;
  ASSERT_EQ(LockRecord(table, kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(table, kBen, "a", 1), kWaits);
  ASSERT_EQ(LockFile(table, kAnna), kGranted);
  ASSERT_EQ(LockRecord(table, kCleo, "a", 2), kWaits);
  table.TakeBackFile(kStock, kAnna);
  EXPECT_EQ(table.TakeGranted(), Waiters{});
  table.ReleaseRecord(kStock, kAnna, "a");
  EXPECT_EQ(table.TakeGranted(), Waiters{1});
  table.ReleaseOwner(kBen);
  EXPECT_EQ(table.TakeGranted(), Waiters{2});
}

TEST(LockTakeBack, WithoutTheFileLockNothingHappens) {
  LockTable table;
  table.TakeBackFile(kStock, kAnna);
  ASSERT_EQ(LockRecord(table, kAnna, "a"), kGranted);
  table.TakeBackFile(kStock, kAnna);
  EXPECT_TRUE(table.HoldsRecord(kStock, kAnna, "a"));
  ASSERT_EQ(LockFile(table, kAnna), kGranted);
  table.TakeBackFile(kStock, kBen);
  EXPECT_TRUE(table.HoldsFile(kStock, kAnna));
}

TEST(LockTakeBack, AReleasedFileLockForgetsThem) {
  LockTable table;
  ASSERT_EQ(LockRecord(table, kAnna, "a"), kGranted);
  ASSERT_EQ(LockFile(table, kAnna), kGranted);
  table.ReleaseFile(kStock, kAnna);
  ASSERT_EQ(LockFile(table, kAnna), kGranted);
  table.TakeBackFile(kStock, kAnna);
  EXPECT_FALSE(table.HasLocks(kStock));
}

TEST(LockTakeBack, WhatIsKeptInMindTakesRoom) {
  LockTable table({.per_open = 10, .per_volume = 3});
  ASSERT_EQ(LockRecord(table, kAnna, "a"), kGranted);
  ASSERT_EQ(LockRecord(table, kAnna, "b"), kGranted);
  ASSERT_EQ(LockFile(table, kAnna), kGranted);
  EXPECT_EQ(LockRecord(table, kBen, "a", 0, kOrders), LockAnswer::kVolumeLimit);
  table.ReleaseFile(kStock, kAnna);
  EXPECT_EQ(LockRecord(table, kBen, "a", 0, kOrders), kGranted);
}

}  // namespace
}  // namespace quire
