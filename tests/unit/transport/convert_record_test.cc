#include "client/transport/convert_record.h"

#include "client/transport/convert_common.h"
#include "gtest/gtest.h"
#include "quire/error.h"
#include "quire/limits.h"

namespace quire {
namespace {

FileReference Reference() {
  return FileReference{FileName{"", "$DATA01", "SUB", "FILE"}, 1, 2, "client"};
}

TEST(ConvertRecordTest, ScanRequestRoundTrips) {
  ScanRequest scan;
  scan.file = Reference();
  scan.range = {std::string("\0a", 2), "\xFF"};
  scan.reverse = true;
  scan.start_exclusive = true;
  scan.chunk_bytes = 3;
  scan.max_records = 4;
  scan.lock_timeout_ms = 5;
  v1::ScanRequest message;
  ToProto(scan, &message);
  const absl::StatusOr<ScanRequest> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->range, scan.range);
  EXPECT_TRUE(received->reverse);
  EXPECT_TRUE(received->start_exclusive);
  EXPECT_EQ(received->chunk_bytes, 3u);
  EXPECT_EQ(received->max_records, 4u);
  EXPECT_EQ(received->lock_mode, std::nullopt);
  EXPECT_EQ(received->lock_timeout_ms, 5u);
}

// R-A2: a scan ignores locks unless it names a mode, and mode 0 is one.
TEST(ConvertRecordTest, RA2ScanLockModes) {
  for (const LockMode mode :
       {LockMode::kNormal, LockMode::kReject, LockMode::kReadThrough, LockMode::kReadThroughReject,
        LockMode::kReadWarn, LockMode::kReadWarnReject}) {
    ScanRequest scan;
    scan.file = Reference();
    scan.lock_mode = mode;
    v1::ScanRequest message;
    ToProto(scan, &message);
    EXPECT_EQ(FromProto(message)->lock_mode, mode);
  }
  v1::ScanRequest message;
  ToProto(ScanRequest{.file = Reference()}, &message);
  message.set_lock_mode(static_cast<v1::LockMode>(5));
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
}

// R-S2: who calls and which of its calls it is travel with every changing call.
template <typename Request>
void ExpectSequence(OperationKind kind) {
  UnaryRequest request;
  request.file = Reference();
  request.file.client_id = 99;
  Operation operation;
  operation.kind = kind;
  (HasRecord(kind) ? operation.record : operation.key) = "bytes";
  request.operation.Add(operation);
  request.operation.first_sequence = 77;
  Request message;
  ToProto(request, &message);
  const absl::StatusOr<UnaryRequest> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->file.client_id, 99u);
  EXPECT_EQ(received->operation.first_sequence, 77u);
  EXPECT_EQ(received->operation[0].kind, kind);
  EXPECT_EQ(received->operation.data(), "bytes");
}

TEST(ConvertRecordTest, RS2ChangesCarryTheirSequence) {
  ExpectSequence<v1::WriteRequest>(OperationKind::kWrite);
  ExpectSequence<v1::UpdateRequest>(OperationKind::kUpdate);
  ExpectSequence<v1::DeleteRequest>(OperationKind::kDelete);
}

TEST(ConvertRecordTest, ReadCarriesItsLockTimeout) {
  UnaryRequest request;
  request.file = Reference();
  request.operation.Add(Operation());
  request.operation.lock_timeout_ms = 4711;
  v1::ReadRequest message;
  ToProto(request, &message);
  EXPECT_EQ(FromProto(message)->operation.lock_timeout_ms, 4711u);
}

TEST(ConvertRecordTest, ChunkMustAddUp) {
  RecordChunk chunk;
  chunk.Add("one");
  chunk.Add("three");
  chunk.last_key = "three";
  v1::RecordChunk message;
  ToProto(std::move(chunk), &message);
  v1::RecordChunk copy = message;
  const absl::StatusOr<RecordChunk> received = FromProto(std::move(copy));
  ASSERT_TRUE(received.ok());
  EXPECT_EQ(received->data, "onethree");
  EXPECT_EQ(received->lengths, (std::vector<uint32_t>{3, 5}));
  EXPECT_EQ(received->last_key, "three");
  message.add_lengths(4294967295u);
  EXPECT_EQ(NumberOf(FromProto(std::move(message)).status()), ErrorNumber::kBadParameter);
  v1::RecordChunk big;
  big.set_data(std::string(kMaxMessageBytes + 1, 'x'));
  EXPECT_EQ(NumberOf(FromProto(std::move(big)).status()), ErrorNumber::kIllegalCount);
}

// R-A4: unknown enumerators are 22.
TEST(ConvertRecordTest, RA4UnknownEnumeratorsAre22) {
  EXPECT_EQ(NumberOf(FromProto(static_cast<v1::ReadMode>(4)).status()), ErrorNumber::kBadParameter);
  v1::LoadHeader header;
  ToProto(LoadRequest{Reference(), true}, &header);
  EXPECT_TRUE(FromProto(header)->continue_on_error);
  header.set_on_error(static_cast<v1::OnError>(3));
  EXPECT_EQ(NumberOf(FromProto(header).status()), ErrorNumber::kBadParameter);
}

TEST(ConvertRecordTest, LoadAnswerRoundTrips) {
  LoadAnswer answer;
  answer.chunk = 1;
  answer.accepted = 2;
  answer.refused.emplace_back(3, MakeError(ErrorNumber::kAlreadyExists, "key exists"));
  answer.stopped = true;
  v1::LoadResponse message;
  ToProto(answer, &message);
  const LoadAnswer received = FromProto(message);
  EXPECT_EQ(received.chunk, 1u);
  EXPECT_EQ(received.accepted, 2u);
  EXPECT_EQ(received.refused, answer.refused);
  EXPECT_TRUE(received.stopped);
}

TEST(ConvertRecordTest, FailedOperationIsTheAnswersError) {
  BatchResult result;
  result.results.resize(1);
  result.results[0].status = MakeError(ErrorNumber::kLocked, "locked");
  v1::WriteResponse response;
  EXPECT_EQ(NumberOf(ToProto(std::move(result), &response)), ErrorNumber::kLocked);
  EXPECT_FALSE(response.has_outcome());
  EXPECT_FALSE(ToProto(BatchResult(), &response).ok());
}

}  // namespace
}  // namespace quire
