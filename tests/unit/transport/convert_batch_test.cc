#include "client/transport/convert_batch.h"

#include <array>

#include "gtest/gtest.h"
#include "quire/limits.h"
#include "quire/lock.h"
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

TEST(ConvertBatchTest, WritesAloneTakeTheShortForm) {
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

// Every member of every kind of operation, and of the batch.
OperationBatch RandomBatch(TestRandom& random) {
  OperationBatch batch;
  batch.first_sequence = random.Between(1, 1000);
  batch.acked_through = random.Below(batch.first_sequence);
  batch.stop_on_error = random.OneIn(2);
  batch.lock_timeout_ms = static_cast<uint32_t>(random.Below(100000));
  const bool routed = random.OneIn(2);
  uint32_t offset = 0;
  for (uint64_t i = 0; i < random.Between(1, 20); ++i) {
    const auto number = [&](uint64_t limit) { return static_cast<uint32_t>(random.Below(limit)); };
    constexpr std::array kLockModes = {0u, 1u, 2u, 3u, 6u, 7u};
    const std::string bytes(random.Below(9), static_cast<char>(random.Below(256)));
    Operation operation;
    operation.kind = static_cast<OperationKind>(random.Between(1, 16));
    operation.mode = static_cast<ReadMode>(random.Below(3));
    operation.reverse = random.OneIn(2);
    operation.skip_exact = random.OneIn(2);
    (HasRecord(operation.kind) ? operation.record : operation.key) = bytes;
    operation.last_of_set = random.OneIn(2);
    operation.lock = random.OneIn(2);
    operation.unlock = random.OneIn(2);
    operation.compare_length = number(256);
    operation.key_specifier = number(70000);
    operation.lock_mode = kLockModes[number(kLockModes.size())];
    batch.Add(operation);
    offset += 1 + number(5);
    if (routed) batch.sequence_offsets.push_back(offset);
  }
  if (random.OneIn(2)) {
    batch.position = Position{.key = std::string("\0key", 4), .compare_length = 2, .next = true};
  }
  return batch;
}

void ExpectEqual(const Operation& a, const Operation& b) {
  EXPECT_EQ(a.kind, b.kind);
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.reverse, b.reverse);
  EXPECT_EQ(a.skip_exact, b.skip_exact);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.record, b.record);
  EXPECT_EQ(a.last_of_set, b.last_of_set);
  EXPECT_EQ(a.lock, b.lock);
  EXPECT_EQ(a.unlock, b.unlock);
  EXPECT_EQ(a.compare_length, b.compare_length);
  EXPECT_EQ(a.key_specifier, b.key_specifier);
  EXPECT_EQ(a.lock_mode, b.lock_mode);
}

TEST(ConvertBatchTest, EveryBatchRoundTrips) {
  TestRandom random;
  for (int round = 0; round < 500; ++round) {
    const OperationBatch sent = RandomBatch(random);
    const absl::StatusOr<OperationBatch> received = FromProto(Sent(sent));
    ASSERT_TRUE(received.ok()) << received.status();
    EXPECT_EQ(received->first_sequence, sent.first_sequence);
    EXPECT_EQ(received->sequence_offsets, sent.sequence_offsets);
    EXPECT_EQ(received->acked_through, sent.acked_through);
    EXPECT_EQ(received->stop_on_error, sent.stop_on_error);
    EXPECT_EQ(received->lock_timeout_ms, sent.lock_timeout_ms);
    EXPECT_EQ(received->position, sent.position);
    EXPECT_EQ(received->changes(), sent.changes());
    ASSERT_EQ(received->size(), sent.size());
    for (size_t i = 0; i < sent.size(); ++i) ExpectEqual((*received)[i], sent[i]);
  }
}

TEST(ConvertBatchTest, AWriteThatUnlocksTakesTheLongForm) {
  OperationBatch batch;
  Operation write = Write("one");
  write.unlock = true;
  batch.Add(write);
  EXPECT_EQ(Sent(std::move(batch)).operations_size(), 1);
}

// A foreign client leaves out what has a default: a position is approximate, a lock mode normal.
TEST(ConvertBatchTest, FieldsLeftOutTakeEnscribesDefaults) {
  v1::Batch message;
  message.add_operations()->set_kind(v1::OPERATION_KIND_SET_POSITION);
  message.add_operations()->set_kind(v1::OPERATION_KIND_SET_LOCK_MODE);
  message.mutable_operations(1)->set_lock_mode(v1::LOCK_MODE_NORMAL);
  message.add_operations();
  const absl::StatusOr<OperationBatch> received = FromProto(std::move(message));
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ((*received)[0].mode, ReadMode::kApproximate);
  EXPECT_EQ((*received)[1].lock_mode, 0u);
  EXPECT_EQ((*received)[2].kind, OperationKind::kRead);
  EXPECT_EQ((*received)[2].mode, ReadMode::kByKey);
}

// The open answers them with 2; none may turn into one that exists on the way.
TEST(ConvertBatchTest, LockModesThatDoNotExistStayThat) {
  for (const uint32_t mode : {4u, 5u, 8u, 255u}) {
    OperationBatch batch;
    Operation operation;
    operation.kind = OperationKind::kSetLockMode;
    operation.lock_mode = mode;
    batch.Add(operation);
    EXPECT_FALSE(IsLockMode((*FromProto(Sent(std::move(batch))))[0].lock_mode)) << mode;
  }
}

// The same for read and positioning modes: 22, whoever sent them.
TEST(ConvertBatchTest, ReadModesThatDoNotExistStayThat) {
  for (const OperationKind kind : {OperationKind::kRead, OperationKind::kSetPosition}) {
    OperationBatch batch;
    Operation operation;
    operation.kind = kind;
    operation.mode = static_cast<ReadMode>(3);
    batch.Add(operation);
    EXPECT_GT((*FromProto(Sent(std::move(batch))))[0].mode, ReadMode::kApproximate);
    v1::Batch message;
    message.add_operations()->set_kind(static_cast<v1::OperationKind>(kind));
    message.mutable_operations(0)->set_mode(static_cast<v1::ReadMode>(9));
    message.mutable_operations(0)->set_positioning(static_cast<v1::Positioning>(9));
    EXPECT_GT((*FromProto(std::move(message)))[0].mode, ReadMode::kApproximate);
  }
}

TEST(ConvertBatchTest, MixedBatchKeepsEveryMember) {
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

TEST(ConvertBatchTest, BatchWithGapsIsPacked) {
  OperationBatch batch;
  using Entry = OperationBatch::Entry;
  ASSERT_TRUE(batch.Adopt({Entry{OperationKind::kWrite, ReadMode::kByKey, false, false, 6, 3},
                           Entry{OperationKind::kWrite, ReadMode::kByKey, false, false, 0, 3}},
                          "twoxxxone"));
  v1::Batch message = Sent(std::move(batch));
  EXPECT_EQ(message.data(), "onetwo");
  EXPECT_EQ((*FromProto(std::move(message)))[1].record, "two");
}

TEST(ConvertBatchTest, EmptyBatchIsABatch) {
  const absl::StatusOr<OperationBatch> received = FromProto(Sent(OperationBatch()));
  ASSERT_TRUE(received.ok());
  EXPECT_TRUE(received->empty());
}

TEST(ConvertBatchTest, BadBatchesAreRefused) {
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
  v1::Batch unknown_kind;
  unknown_kind.add_operations()->set_kind(static_cast<v1::OperationKind>(17));
  EXPECT_EQ(number(unknown_kind), ErrorNumber::kBadParameter);
  v1::Batch no_position;
  no_position.set_position("");
  EXPECT_EQ(number(no_position), ErrorNumber::kBadParameter);
}

TEST(ConvertBatchTest, SequenceOffsetsRiseAndAreOnePerOperation) {
  const auto number = [](const std::vector<uint32_t>& offsets) {
    v1::Batch batch;
    batch.add_write_lengths(0);
    batch.add_write_lengths(0);
    batch.mutable_sequence_offsets()->Assign(offsets.begin(), offsets.end());
    return NumberOf(FromProto(std::move(batch)).status());
  };
  EXPECT_EQ(number({}), ErrorNumber::kOk);
  EXPECT_EQ(number({0, 1}), ErrorNumber::kOk);
  EXPECT_EQ(number({3, 4294967295u}), ErrorNumber::kOk);
  EXPECT_EQ(number({1}), ErrorNumber::kBadParameter);
  EXPECT_EQ(number({1, 2, 3}), ErrorNumber::kBadParameter);
  EXPECT_EQ(number({2, 2}), ErrorNumber::kBadParameter);
  EXPECT_EQ(number({2, 1}), ErrorNumber::kBadParameter);
}

BatchResult RandomResult(TestRandom& random) {
  BatchResult result;
  result.first_sequence = random.Below(1000);
  result.epoch = random.Below(9);
  result.change_sequence = random.Below(1000);
  if (random.OneIn(2)) {
    result.state.emplace();
    result.state->lock_mode = static_cast<uint32_t>(random.Below(8));
    result.state->position.key =
        std::string(random.Below(20), static_cast<char>(random.Below(256)));
    result.state->partitions.resize(random.Below(5), {random.Below(1000), 3});
  }
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

TEST(ConvertBatchTest, ResultsRoundTrip) {
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
    EXPECT_EQ(received->state, sent.state);
    ASSERT_EQ(received->results.size(), sent.results.size());
    for (size_t i = 0; i < sent.results.size(); ++i) {
      EXPECT_EQ(received->results[i].status, sent.results[i].status);
      EXPECT_EQ(received->results[i].warning, sent.results[i].warning);
      EXPECT_EQ(received->record(i), sent.record(i));
    }
  }
}

TEST(ConvertBatchTest, OnlyFailuresAreListed) {
  BatchResult result;
  result.results.resize(1000);
  result.results[7].status = MakeError(ErrorNumber::kAlreadyExists, "key exists");
  v1::BatchResult message;
  ToProto(std::move(result), &message);
  EXPECT_EQ(message.count(), 1000u);
  EXPECT_EQ(message.failed_size(), 1);
  EXPECT_EQ(message.record_lengths_size(), 0);
}

TEST(ConvertBatchTest, ContradictoryResultsAreRefused) {
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
  v1::BatchResult token;
  token.set_token("no token");
  EXPECT_TRUE(refused(token));
}

}  // namespace
}  // namespace quire
