// Routing of operations to partitions (R-S5).
#include "client/filesystem/batch_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/filesystem/cluster.h"
#include "tests/unit/filesystem/session_user.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;

Operation Write(const std::string& record) {
  Operation operation;
  operation.kind = OperationKind::kWrite;
  operation.record = record;
  return operation;
}

Operation Read(std::string_view key, ReadMode mode = ReadMode::kByKey, bool reverse = false) {
  Operation operation;
  operation.key = key;
  operation.mode = mode;
  operation.reverse = reverse;
  return operation;
}

TEST(BatchPlan, KeyEqualToPartialKeyBelongsToTheHigherPartition) {
  FileAttributes attributes = PartsAttributes(3);
  attributes.partitions[0].partial_key = "BB";
  attributes.partitions[1].partial_key = "CC";
  EXPECT_EQ(WalkOf(attributes, Read("BA99")).first, 0u);
  EXPECT_EQ(WalkOf(attributes, Read("BB")).first, 1u);
  EXPECT_EQ(WalkOf(attributes, Read("BB00")).first, 1u);
  EXPECT_EQ(WalkOf(attributes, Read("CBzz")).first, 1u);
  EXPECT_EQ(WalkOf(attributes, Read("CC  ")).first, 2u);
  EXPECT_EQ(WalkOf(attributes, Read("\xff\xff\xff\xff")).first, 2u);
}

TEST(BatchPlan, KeyOfARecordIsItsKeyField) {
  const FileAttributes attributes = PartsAttributes(3);
  EXPECT_EQ(KeyOf(attributes, Write(Record("C001", "rest"))), "C001");
  EXPECT_EQ(WalkOf(attributes, Write(Record("C001"))), (PartitionWalk{2, 2}));
  // Too short for its key: some partition refuses it, none is crashed into.
  EXPECT_EQ(WalkOf(attributes, Write("-")), (PartitionWalk{0, 0}));
  EXPECT_EQ(WalkOf(attributes, Write("")), (PartitionWalk{0, 0}));
}

TEST(BatchPlan, GenericWalksThePartitionsOfThePrefix) {
  const FileAttributes attributes = PartsAttributes(4);
  EXPECT_EQ(WalkOf(attributes, Read("C", ReadMode::kGeneric)), (PartitionWalk{2, 2}));
  EXPECT_EQ(WalkOf(attributes, Read("", ReadMode::kGeneric)), (PartitionWalk{0, 3}));
  EXPECT_EQ(WalkOf(attributes, Read("", ReadMode::kGeneric, true)), (PartitionWalk{3, 0}));
  FileAttributes finer = attributes;
  finer.partitions[1].partial_key = "BM";
  EXPECT_EQ(WalkOf(finer, Read("B", ReadMode::kGeneric)), (PartitionWalk{1, 2}));
  EXPECT_EQ(WalkOf(finer, Read("B", ReadMode::kGeneric, true)), (PartitionWalk{2, 1}));
}

TEST(BatchPlan, ApproximateWalksToTheEndOfTheFile) {
  const FileAttributes attributes = PartsAttributes(4);
  EXPECT_EQ(WalkOf(attributes, Read("C", ReadMode::kApproximate)), (PartitionWalk{2, 3}));
  EXPECT_EQ(WalkOf(attributes, Read("C", ReadMode::kApproximate, true)), (PartitionWalk{2, 0}));
  EXPECT_FALSE(WalkOf(attributes, Read("Z", ReadMode::kApproximate)).CrossesBorder());
}

TEST(BatchPlan, BatchForOnePartitionIsPassedOnWhole) {
  OperationBatch batch;
  batch.Add(Write(Record("B001")));
  batch.Add(Read("B002"));
  const std::vector<PlanStep> steps = PlanBatch(PartsAttributes(4), std::move(batch));
  ASSERT_EQ(steps.size(), 1u);
  ASSERT_EQ(steps[0].parts.size(), 1u);
  EXPECT_EQ(steps[0].parts[0].partition, 1u);
  EXPECT_TRUE(steps[0].parts[0].places.empty());
  EXPECT_FALSE(steps[0].alone);
}

TEST(BatchPlan, KeyedOperationsRunSideBySideAndBorderReadsAlone) {
  OperationBatch batch;
  batch.Add(Write(Record("A001")));
  batch.Add(Write(Record("C001")));
  batch.Add(Write(Record("A002")));
  batch.Add(Read("B", ReadMode::kApproximate));
  batch.Add(Write(Record("D001")));
  const std::vector<PlanStep> steps = PlanBatch(PartsAttributes(4), std::move(batch));
  ASSERT_EQ(steps.size(), 3u);
  ASSERT_EQ(steps[0].parts.size(), 2u);
  EXPECT_THAT(steps[0].parts[0].places, ElementsAre(0, 2));
  EXPECT_THAT(steps[0].parts[1].places, ElementsAre(1));
  EXPECT_FALSE(steps[0].alone);
  EXPECT_TRUE(steps[1].alone);
  EXPECT_EQ(steps[1].walk, (PartitionWalk{1, 3}));
  EXPECT_THAT(steps[2].parts[0].places, ElementsAre(4));
}

TEST(BatchPlan, StopOnErrorRunsOnePartitionAtATime) {
  OperationBatch batch;
  batch.stop_on_error = true;
  for (const char* key : {"A001", "A002", "B001", "A003"}) batch.Add(Write(Record(key)));
  const std::vector<PlanStep> steps = PlanBatch(PartsAttributes(2), std::move(batch));
  ASSERT_EQ(steps.size(), 3u);
  for (const PlanStep& step : steps) {
    EXPECT_TRUE(step.alone);
    ASSERT_EQ(step.parts.size(), 1u);
    EXPECT_TRUE(step.parts[0].operations.stop_on_error);
  }
  EXPECT_THAT(steps[0].parts[0].places, ElementsAre(0, 1));
}

TEST(BatchPlan, R_S5_PositionAndWholeFileOperationsAreStepsOfTheirOwn) {
  const auto plan = [](uint32_t partitions) {
    OperationBatch batch;
    batch.first_sequence = 10;
    batch.acked_through = 7;
    batch.lock_timeout_ms = 9;
    batch.Add(Write(Record("A001")));
    batch.Add(ByKey(OperationKind::kReadNext, ""));
    batch.Add(ByKey(OperationKind::kLockFile, ""));
    batch.Add(ByKey(OperationKind::kLockRecord, "B001"));
    batch.Add(Write(Record("A002")));
    return PlanBatch(PartsAttributes(partitions), std::move(batch));
  };
  EXPECT_EQ(plan(1).size(), 1u);  // its volume has the position
  const std::vector<PlanStep> steps = plan(2);
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_FALSE(steps[0].alone);
  EXPECT_EQ(steps[1].kind, StepKind::kPosition);
  EXPECT_EQ(steps[2].kind, StepKind::kWholeFile);
  EXPECT_TRUE(steps[1].alone && steps[2].alone);
  ASSERT_EQ(steps[3].parts.size(), 2u);
  EXPECT_EQ(steps[3].parts[0].partition, 1u);  // LOCKREC with a key goes where the key is
  const OperationBatch& last = steps[3].parts[1].operations;
  EXPECT_EQ(last.SequenceOf(0), 14u);
  EXPECT_EQ(last.acked_through, 7u);
  EXPECT_EQ(last.lock_timeout_ms, 9u);
}

TEST(BatchPlan, PositionWalksThePartitionsOfItsSubset) {
  const FileAttributes attributes = PartsAttributes(4);
  Position position;
  const auto read = [&] { return WalkOfPosition(attributes, position, OperationKind::kReadNext); };
  EXPECT_EQ(read(), (PartitionWalk{0, 3}));
  position.key = "B500";
  EXPECT_EQ(read(), (PartitionWalk{1, 3}));
  position.reverse = true;
  EXPECT_EQ(read(), (PartitionWalk{1, 0}));
  EXPECT_EQ(WalkOfPosition(attributes, position, OperationKind::kReadUpdate),
            (PartitionWalk{1, 1}));
  position.key = "C000";
  position.mode = PositioningMode::kExact;
  position.compare_length = 4;
  EXPECT_EQ(read(), (PartitionWalk{2, 2}));
  position.next = true;  // nothing is left of it, wherever it is asked for
  EXPECT_EQ(read(), (PartitionWalk{2, 2}));
}

TEST(BatchPlan, EmptyBatchHasNoSteps) {
  EXPECT_TRUE(PlanBatch(PartsAttributes(3), OperationBatch()).empty());
}

}  // namespace
}  // namespace quire::testing
