// The position and the locks of an open of several partitions run over borders (R-S5).
#include "tests/unit/filesystem/router_client.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;

using PartitionedPositionTest = RouterClientTest;

TEST_F(PartitionedPositionTest, R_S5_ReadsOnOverBordersBothWays) {
  Fill({"A001", "A002", "B001", "D001", "D002"});  // nothing in C
  Client client(cluster_, timer_);
  EXPECT_THAT(client.ReadOn(), ElementsAre(Record("A001"), Record("A002"), Record("B001"),
                                           Record("D001"), Record("D002"), "1"));
  // A record that comes behind the end is found.
  EXPECT_EQ(client.Write("D003"), "0");
  EXPECT_THAT(client.ReadOn(), ElementsAre(Record("D003"), "1"));
  EXPECT_EQ(client.Run({SetTo("", ReadMode::kApproximate, /*reverse=*/true)}).at(0), "0");
  EXPECT_THAT(client.ReadOn(), ElementsAre(Record("D003"), Record("D002"), Record("D001"),
                                           Record("B001"), Record("A002"), Record("A001"), "1"));
  client.Run({SetTo("C500")});
  EXPECT_EQ(client.Run({Next()}).at(0), Record("D001"));
  client.Run({SetTo("C500", ReadMode::kApproximate, /*reverse=*/true)});
  EXPECT_EQ(client.Run({Next()}).at(0), Record("B001"));
}

TEST_F(PartitionedPositionTest, R_S5_GenericSubsetsOverBorders) {
  Cluster finer(4);
  FileAttributes attributes = PartsAttributes(4);
  attributes.partitions[0].partial_key = "M3";
  attributes.partitions[1].partial_key = "M5";
  attributes.partitions[2].partial_key = "M8";
  ASSERT_TRUE(finer.files().Create(PartsName(), attributes).ok());
  Client client(finer, timer_);
  for (const char* key : {"L999", "M100", "M300", "M400", "M500", "M900", "N000"}) {
    ASSERT_EQ(client.Write(key), "0");
  }
  client.Run({SetTo("M", ReadMode::kGeneric)});
  EXPECT_THAT(client.ReadOn(), ElementsAre(Record("M100"), Record("M300"), Record("M400"),
                                           Record("M500"), Record("M900"), "1"));
  Operation backwards = SetTo("M", ReadMode::kGeneric, /*reverse=*/true);
  backwards.last_of_set = true;
  client.Run({backwards});
  EXPECT_THAT(client.ReadOn(), ElementsAre(Record("M900"), Record("M500"), Record("M400"),
                                           Record("M300"), Record("M100"), "1"));
  client.Run({SetTo("M400", ReadMode::kByKey)});
  EXPECT_THAT(client.ReadOn(), ElementsAre(Record("M400"), "1"));
  client.Run({SetTo("M4", ReadMode::kByKey)});  // R-S6
  EXPECT_EQ(client.Run({Next()}).at(0), "1");
}

TEST_F(PartitionedPositionTest, PositionSurvivesDeletesByItselfAndByOthers) {
  Fill({"A001", "A002", "B001", "B002", "C001"});
  Client client(cluster_, timer_);
  Client other(cluster_, timer_);
  EXPECT_THAT(client.Run({Next(), Next(), Kind(OperationKind::kDeleteCurrent)}),
              ElementsAre(Record("A001"), Record("A002"), "0"));
  EXPECT_EQ(client.Run({Kind(OperationKind::kReadUpdate)}).at(0), "11");
  EXPECT_EQ(client.Run({Kind(OperationKind::kDeleteCurrent)}).at(0), "11");
  other.Run({ByKey(OperationKind::kDelete, "B001")});
  EXPECT_EQ(client.Run({Next()}).at(0), Record("B002"));
  const std::string changed = Record("B002", "new");
  const std::string moved = Record("C002", "new");
  EXPECT_EQ(client.Run({WithRecord(OperationKind::kWriteUpdate, changed)}).at(0), "0");
  EXPECT_EQ(client.Run({WithRecord(OperationKind::kWriteUpdate, moved)}).at(0), "46");
  EXPECT_EQ(client.Run({Kind(OperationKind::kReadUpdate)}).at(0), changed);
  EXPECT_THAT(client.ReadOn(), ElementsAre(Record("C001"), "1"));
}

TEST_F(PartitionedPositionTest, SavedPositionsAndFailedOperations) {
  Fill({"A001", "B001", "C001"});
  Client client(cluster_, timer_);
  client.Run({Next()});
  const std::string saved = client.Run({Kind(OperationKind::kSavePosition)}).at(0);
  EXPECT_EQ(client.Run({Next()}).at(0), Record("B001"));
  EXPECT_EQ(client.Run({SetTo("TOO LONG")}).at(0), "21");
  Operation alternate = SetTo("A");
  alternate.key_specifier = 7;
  EXPECT_EQ(client.Run({alternate}).at(0), "46");
  EXPECT_EQ(client.Run({ByKey(OperationKind::kRestorePosition, "nonsense")}).at(0), "22");
  EXPECT_EQ(client.Run({Next()}).at(0), Record("C001"));
  EXPECT_EQ(client.Run({ByKey(OperationKind::kRestorePosition, saved)}).at(0), "0");
  EXPECT_EQ(client.Run({Next()}).at(0), Record("B001"));
  // A failure stops the batch where it says so.
  EXPECT_THAT(client.Run({SetTo("TOO LONG"), Next()}, /*stop_on_error=*/true),
              ElementsAre("21", "22"));
  EXPECT_THAT(client.Run({SetTo("TOO LONG"), Next()}), ElementsAre("21", Record("C001")));
}

TEST_F(PartitionedPositionTest, R_S5_PositionWaitsForEarlierOperationsOfAllPartitions) {
  Client client(cluster_, timer_);
  cluster_.volume(3).Hold();
  const std::string record = Record("C001");
  client.Submit({WithRecord(OperationKind::kWrite, record)});
  client.Submit({Next()});
  client.Submit({Kind(OperationKind::kLockFile)});
  EXPECT_EQ(cluster_.volume(1).batches(), 0u);
  cluster_.volume(3).Release();
  EXPECT_THAT(client.Answers(), ElementsAre("0", Record("C001"), "0"));
}

TEST_F(PartitionedPositionTest, LockFileThatFailsIsTakenBackWhereItWasGot) {
  Client holder(cluster_, timer_);
  EXPECT_EQ(holder.Run({ByKey(OperationKind::kLockRecord, "C001")}).at(0), "0");
  Client client(cluster_, timer_);
  EXPECT_EQ(client.Run({Kind(OperationKind::kLockFile)}).at(0), "73");
  // Nothing is left of it in partitions 0 and 1, and it never was in 3.
  for (const char* key : {"A001", "B001", "D001"}) {
    EXPECT_EQ(holder.Run({ByKey(OperationKind::kLockRecord, key)}).at(0), "0") << key;
  }
  EXPECT_EQ(holder.Run({Kind(OperationKind::kUnlockFile)}).at(0), "0");
  EXPECT_EQ(client.Run({Kind(OperationKind::kLockFile)}).at(0), "0");
  for (const char* key : {"A001", "B001", "C001", "D001"}) {
    EXPECT_EQ(holder.Run({ByKey(OperationKind::kLockRecord, key)}).at(0), "73") << key;
  }
  for (const PartitionMark& mark : client.user().state.partitions) EXPECT_EQ(mark.locks, 1u);
}

TEST_F(PartitionedPositionTest, LockModeIsSetEverywhereOrNowhere) {
  Client client(cluster_, timer_);
  Operation mode = Kind(OperationKind::kSetLockMode);
  mode.lock_mode = 5;
  EXPECT_EQ(client.Run({mode}).at(0), "2");
  EXPECT_EQ(client.user().state.lock_mode, 0u);
  mode.lock_mode = 6;
  EXPECT_EQ(client.Run({mode}).at(0), "0");
  EXPECT_EQ(client.user().state.lock_mode, 6u);
  // It goes with the open to wherever it is resumed.
  client.RestartRouter();
  ASSERT_TRUE(client.user().opened.ok()) << client.user().opened.status();
  EXPECT_EQ(client.user().opened->state.lock_mode, 6u);
  EXPECT_EQ(cluster_.volume(4).opens().back().resume->state.lock_mode, 6u);
}

TEST_F(PartitionedPositionTest, StateIsToldOnlyWhenItChanged) {
  Client client(cluster_, timer_);
  client.Write("A001");
  client.Run({Next()});
  client.Write("A002");
  client.Run({ByKey(OperationKind::kLockRecord, "B001")});
  client.Run({ByKey(OperationKind::kRead, "B001")});
  const std::vector<BatchResult>& results = client.user().results;
  ASSERT_EQ(results.size(), 5u);
  EXPECT_FALSE(results[0].state);
  ASSERT_TRUE(results[1].state);
  EXPECT_EQ(results[1].state->position.key, "A001");
  EXPECT_EQ(results[1].state->partitions.size(), 4u);
  EXPECT_FALSE(results[2].state);
  ASSERT_TRUE(results[3].state);
  EXPECT_EQ(results[3].state->partitions[1].locks, 1u);
  EXPECT_EQ(results[3].state->position.key, "A001");
  EXPECT_FALSE(results[4].state);
}

}  // namespace
}  // namespace quire::testing
