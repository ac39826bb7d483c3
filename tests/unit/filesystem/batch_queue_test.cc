// Results back in request order, whatever order the partitions answer in (R-S5).
#include "client/filesystem/batch_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

class BatchQueueTest : public ::testing::Test {
 protected:
  BatchQueueTest()
      : attributes_(PartsAttributes(3)),
        queue_(attributes_, {"$DATA01", "$DATA02", "$DATA03"}, OpenState()) {}

  static Operation Read(std::string_view key, ReadMode mode = ReadMode::kByKey) {
    Operation operation;
    operation.key = key;
    operation.mode = mode;
    return operation;
  }

  void Push(const std::vector<Operation>& operations, uint64_t first_sequence,
            bool stop_on_error = false) {
    OperationBatch batch;
    for (const Operation& operation : operations) batch.Add(operation);
    batch.first_sequence = first_sequence;
    batch.stop_on_error = stop_on_error;
    queue_.Push(PlannedBatch(attributes_, std::move(batch)));
  }

  // Sends what can be sent; partition -> keys, in order.
  std::map<uint32_t, std::vector<std::string>> SendAll() {
    std::map<uint32_t, std::vector<std::string>> sent;
    while (auto outgoing = queue_.NextToSend()) {
      for (size_t i = 0; i < outgoing->operations.size(); ++i) {
        sent[outgoing->partition].emplace_back(outgoing->operations[i].key);
      }
    }
    return sent;
  }

  // Each operation finds a record with this text.
  static BatchResult Found(const std::vector<std::string>& records) {
    BatchResult result;
    for (const std::string& record : records) {
      OperationResult& one = result.results.emplace_back();
      one.offset = static_cast<uint32_t>(result.data.size());
      one.length = static_cast<uint32_t>(record.size());
      result.data += record;
    }
    return result;
  }
  static BatchResult Failed(ErrorNumber number) {
    return FailedResult(1, MakeError(number, "failed"));
  }

  const FileAttributes attributes_;
  BatchQueue queue_;
};

TEST_F(BatchQueueTest, R_S5_ResultsComeInRequestOrder) {
  Push({Read("C001"), Read("A001"), Read("C002")}, 10);
  Push({Read("B001")}, 13);
  const auto sent = SendAll();
  EXPECT_THAT(sent.at(2), ::testing::ElementsAre("C001", "C002"));

  queue_.Answer(1, Found({"b1"}));  // of the second batch
  EXPECT_FALSE(queue_.TakeFinished());
  queue_.Answer(0, Found({"a1"}));
  EXPECT_FALSE(queue_.TakeFinished());
  queue_.Answer(2, Found({"c1", "c2"}));

  const auto first = queue_.TakeFinished();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->first_sequence, 10u);
  ASSERT_EQ(first->results.size(), 3u);
  EXPECT_EQ(first->record(0), "c1");
  EXPECT_EQ(first->record(1), "a1");
  EXPECT_EQ(first->record(2), "c2");
  EXPECT_EQ(first->data, "c1a1c2");
  const auto second = queue_.TakeFinished();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->first_sequence, 13u);
  EXPECT_EQ(second->record(0), "b1");
  EXPECT_EQ(queue_.size(), 0u);
}

TEST_F(BatchQueueTest, R_S5_BorderReadWaitsAndHoldsBackLaterOnes) {
  Push({Read("C001")}, 1);
  Push({Read("A", ReadMode::kApproximate)}, 2);
  Push({Read("B001")}, 3);
  EXPECT_EQ(SendAll().size(), 1u);  // C001 alone
  queue_.Answer(2, Found({"c"}));
  EXPECT_THAT(SendAll(), ::testing::ElementsAre(::testing::Key(0u)));
  queue_.Answer(0, Failed(ErrorNumber::kEndOfFile));
  EXPECT_THAT(SendAll(), ::testing::ElementsAre(::testing::Key(1u)));
  queue_.Answer(1, Found({"b"}));
  EXPECT_THAT(SendAll(), ::testing::ElementsAre(::testing::Key(1u)));  // now B001
  ASSERT_TRUE(queue_.TakeFinished());
  const auto read = queue_.TakeFinished();
  ASSERT_TRUE(read);
  EXPECT_EQ(read->record(0), "b");
  EXPECT_FALSE(queue_.TakeFinished());
}

TEST_F(BatchQueueTest, BorderReadEndsWithOneBehindTheLastPartition) {
  Push({Read("", ReadMode::kGeneric)}, 1);
  for (uint32_t partition = 0; partition < 3; ++partition) {
    EXPECT_THAT(SendAll(), ::testing::ElementsAre(::testing::Key(partition)));
    queue_.Answer(partition, Failed(ErrorNumber::kEndOfFile));
  }
  EXPECT_TRUE(SendAll().empty());
  EXPECT_EQ(Number(queue_.TakeFinished()->results[0].status), 1);
}

TEST_F(BatchQueueTest, BorderReadStopsAtAnyOtherError) {
  Push({Read("", ReadMode::kGeneric)}, 1);
  SendAll();
  queue_.AnswerAll(0, MakeError(ErrorNumber::kVolumeDown, "down"));
  EXPECT_TRUE(SendAll().empty());
  EXPECT_EQ(Number(queue_.TakeFinished()->results[0].status), 66);
}

TEST_F(BatchQueueTest, StopOnErrorLeavesLaterPartitionsAlone) {
  Push({Read("A001"), Read("B001"), Read("C001")}, 1, /*stop_on_error=*/true);
  EXPECT_THAT(SendAll(), ::testing::ElementsAre(::testing::Key(0u)));
  queue_.Answer(0, Found({"a"}));
  EXPECT_THAT(SendAll(), ::testing::ElementsAre(::testing::Key(1u)));
  queue_.Answer(1, Failed(ErrorNumber::kNotFound));
  EXPECT_TRUE(SendAll().empty());
  const auto result = queue_.TakeFinished();
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->results[0].status.ok());
  EXPECT_EQ(Number(result->results[1].status), 11);
  EXPECT_EQ(Number(result->results[2].status), 22);
}

TEST_F(BatchQueueTest, WireAnswersOfTheWrongShapeBecome201) {
  Push({Read("A001"), Read("A002"), Read("A003")}, 1);
  SendAll();
  BatchResult result = Found({"a"});
  result.results.emplace_back().offset = 99;  // beyond the data
  queue_.Answer(0, std::move(result));
  const auto taken = queue_.TakeFinished();
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->record(0), "a");
  EXPECT_EQ(Number(taken->results[1].status), 201);
  EXPECT_EQ(Number(taken->results[2].status), 201);
  queue_.Answer(0, Found({"nobody asked"}));
  EXPECT_FALSE(queue_.TakeFinished());
}

TEST_F(BatchQueueTest, EmptyBatchIsAnsweredInItsTurn) {
  Push({Read("A001")}, 1);
  Push({}, 2);
  SendAll();
  EXPECT_FALSE(queue_.TakeFinished());
  queue_.Answer(0, Found({"a"}));
  EXPECT_TRUE(queue_.TakeFinished());
  const auto empty = queue_.TakeFinished();
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->first_sequence, 2u);
  EXPECT_TRUE(empty->results.empty());
}

}  // namespace
}  // namespace quire::testing
