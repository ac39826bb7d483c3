#include "client/transport/convert_session.h"

#include "client/transport/convert_file.h"
#include "gtest/gtest.h"
#include "quire/limits.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

Operation Write(std::string_view record) {
  Operation operation;
  operation.kind = OperationKind::kWrite;
  operation.record = record;
  return operation;
}

Operation Read(std::string_view key) {
  Operation operation;
  operation.mode = ReadMode::kApproximate;
  operation.reverse = true;
  operation.skip_exact = true;
  operation.key = key;
  return operation;
}

v1::Batch Sent(OperationBatch batch) {
  v1::Batch message;
  ToProto(std::move(batch), &message);
  v1::Batch received;
  EXPECT_TRUE(received.ParseFromString(message.SerializeAsString()));
  return received;
}

TEST(ConvertSessionTest, WritesAloneTakeTheShortForm) {
  OperationBatch batch;
  batch.first_sequence = 77;
  batch.stop_on_error = true;
  batch.Add(Write("one"));
  batch.Add(Write("three"));
  v1::Batch message = Sent(std::move(batch));
  EXPECT_EQ(message.operations_size(), 0);
  EXPECT_EQ(message.write_lengths_size(), 2);
  const absl::StatusOr<OperationBatch> received = FromProto(std::move(message));
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->first_sequence, 77u);
  EXPECT_TRUE(received->stop_on_error);
  EXPECT_TRUE(received->changes());
  EXPECT_EQ((*received)[1].record, "three");
}

TEST(ConvertSessionTest, MixedBatchKeepsEveryMember) {
  OperationBatch batch;
  batch.Add(Write("one"));
  batch.Add(Read("key"));
  const absl::StatusOr<OperationBatch> received = FromProto(Sent(std::move(batch)));
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ((*received)[0].record, "one");
  EXPECT_EQ((*received)[1].kind, OperationKind::kRead);
  EXPECT_EQ((*received)[1].mode, ReadMode::kApproximate);
  EXPECT_TRUE((*received)[1].reverse);
  EXPECT_TRUE((*received)[1].skip_exact);
  EXPECT_EQ((*received)[1].key, "key");
}

TEST(ConvertSessionTest, BatchWithGapsIsPacked) {
  OperationBatch batch;
  using Entry = OperationBatch::Entry;
  ASSERT_TRUE(batch.Adopt({Entry{OperationKind::kWrite, ReadMode::kByKey, false, false, 6, 3},
                           Entry{OperationKind::kWrite, ReadMode::kByKey, false, false, 0, 3}},
                          "twoxxxone"));
  v1::Batch message = Sent(std::move(batch));
  EXPECT_EQ(message.data(), "onetwo");
  EXPECT_EQ((*FromProto(std::move(message)))[1].record, "two");
}

TEST(ConvertSessionTest, EmptyBatchIsABatch) {
  const absl::StatusOr<OperationBatch> received = FromProto(Sent(OperationBatch()));
  ASSERT_TRUE(received.ok());
  EXPECT_TRUE(received->empty());
}

TEST(ConvertSessionTest, BadBatchesAreRefused) {
  const auto number = [](v1::Batch batch) {
    return NumberOf(FromProto(std::move(batch)).status());
  };
  v1::Batch too_long;
  too_long.set_data(std::string(kMaxBatchBytes + 1, 'x'));
  too_long.add_write_lengths(kMaxBatchBytes + 1);
  EXPECT_EQ(number(too_long), ErrorNumber::kIllegalCount);
  v1::Batch too_many;
  for (uint32_t i = 0; i <= kMaxBatchOperations; ++i) too_many.add_write_lengths(0);
  EXPECT_EQ(number(too_many), ErrorNumber::kIllegalCount);
  v1::Batch both;
  both.add_write_lengths(0);
  both.add_operations();
  EXPECT_EQ(number(both), ErrorNumber::kBadParameter);
  v1::Batch left_over;
  left_over.set_data("left over");
  EXPECT_EQ(number(left_over), ErrorNumber::kBadParameter);
  v1::Batch unknown_mode;
  unknown_mode.add_operations()->set_mode(static_cast<v1::ReadMode>(9));
  EXPECT_EQ(number(unknown_mode), ErrorNumber::kBadParameter);
}

BatchResult RandomResult(TestRandom& random) {
  BatchResult result;
  result.first_sequence = random.Below(1000);
  result.epoch = random.Below(9);
  result.change_sequence = random.Below(1000);
  const bool reads = random.OneIn(2);
  for (uint64_t i = 0; i < random.Between(1, 40); ++i) {
    OperationResult one;
    if (random.OneIn(4)) {
      one.status = MakeError(ErrorNumber::kNotFound, "missing");
    } else {
      if (random.OneIn(4)) one.warning = ErrorNumber::kReadThroughLock;
      if (reads) {
        one.offset = static_cast<uint32_t>(result.data.size());
        one.length = static_cast<uint32_t>(random.Between(1, 50));
        result.data += std::string(one.length, static_cast<char>('a' + i % 26));
      }
    }
    result.results.push_back(one);
  }
  return result;
}

TEST(ConvertSessionTest, ResultsRoundTrip) {
  TestRandom random;
  for (int round = 0; round < 300; ++round) {
    const BatchResult sent = RandomResult(random);
    BatchResult copy = sent;
    v1::BatchResult message;
    ToProto(std::move(copy), &message);
    const absl::StatusOr<BatchResult> received = FromProto(std::move(message));
    ASSERT_TRUE(received.ok()) << received.status();
    EXPECT_EQ(received->first_sequence, sent.first_sequence);
    EXPECT_EQ(received->epoch, sent.epoch);
    EXPECT_EQ(received->change_sequence, sent.change_sequence);
    ASSERT_EQ(received->results.size(), sent.results.size());
    for (size_t i = 0; i < sent.results.size(); ++i) {
      EXPECT_EQ(received->results[i].status, sent.results[i].status);
      EXPECT_EQ(received->results[i].warning, sent.results[i].warning);
      EXPECT_EQ(received->record(i), sent.record(i));
    }
  }
}

TEST(ConvertSessionTest, OnlyFailuresAreListed) {
  BatchResult result;
  result.results.resize(1000);
  result.results[7].status = MakeError(ErrorNumber::kAlreadyExists, "key exists");
  v1::BatchResult message;
  ToProto(std::move(result), &message);
  EXPECT_EQ(message.count(), 1000u);
  EXPECT_EQ(message.failed_size(), 1);
  EXPECT_EQ(message.record_lengths_size(), 0);
}

TEST(ConvertSessionTest, ContradictoryResultsAreRefused) {
  const auto refused = [](v1::BatchResult message) {
    return NumberOf(FromProto(std::move(message)).status()) == ErrorNumber::kBadParameter;
  };
  v1::BatchResult huge;
  huge.set_count(4000000000u);
  EXPECT_TRUE(refused(huge));
  v1::BatchResult index;
  index.set_count(1);
  index.add_failed()->set_index(1);
  EXPECT_TRUE(refused(index));
  v1::BatchResult warned;
  warned.add_warned();
  EXPECT_TRUE(refused(warned));
  v1::BatchResult lengths;
  lengths.set_count(1);
  lengths.add_record_lengths(5);
  EXPECT_TRUE(refused(lengths));
}

TEST(ConvertSessionTest, OpenRoundTripsAndSyncDepthIsBounded) {
  OpenRequest open;
  open.file.name = FileName{"\\NODE", "$DATA01", "SUB", "FILE"};
  open.file.open_id = 5;
  open.file.create_id = 6;
  open.file.client_name = "bench";
  open.access = AccessMode::kRead;
  open.exclusion = Exclusion::kProtected;
  open.sync_depth = 0;
  v1::Open message;
  ToProto(open, &message);
  const absl::StatusOr<OpenRequest> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->file.name, open.file.name);
  EXPECT_EQ(received->file.open_id, 5u);
  EXPECT_EQ(received->file.create_id, 6u);
  EXPECT_EQ(received->access, AccessMode::kRead);
  EXPECT_EQ(received->exclusion, Exclusion::kProtected);
  EXPECT_EQ(received->sync_depth, 0u);
  message.clear_sync_depth();
  EXPECT_EQ(FromProto(message)->sync_depth, 1u);
  message.set_sync_depth(16);
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kIllegalCount);
  message.set_sync_depth(1);
  message.mutable_file()->set_client_name(std::string(65, 'n'));
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kIllegalCount);
}

TEST(ConvertSessionTest, OpenedRoundTrips) {
  Opened opened;
  opened.open_id = 1;
  opened.lease_ms = 2;
  opened.credits = 3;
  opened.max_batch_bytes = 4;
  opened.max_batch_operations = 5;
  opened.epoch = 6;
  opened.info.record_count = 7;
  opened.warning = ErrorNumber::kPartitionFailure;
  v1::Opened message;
  ToProto(opened, &message);
  const absl::StatusOr<Opened> received = FromProto(message);
  ASSERT_TRUE(received.ok());
  EXPECT_EQ(received->lease_ms, 2u);
  EXPECT_EQ(received->max_batch_operations, 5u);
  EXPECT_EQ(received->epoch, 6u);
  EXPECT_EQ(received->info.record_count, 7u);
  EXPECT_EQ(received->warning, ErrorNumber::kPartitionFailure);
}

}  // namespace
}  // namespace quire
