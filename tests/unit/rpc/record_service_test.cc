#include "server/rpc/record_service.h"

#include <optional>
#include <thread>
#include <utility>

#include "grpcpp/grpcpp.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "tests/unit/rpc/rpc_fixture.h"

namespace quire::test {
namespace {

class RecordServiceTest : public RpcFixture {
 protected:
  absl::StatusOr<std::string> Execute(const FileReference& file, OperationKind kind,
                                      std::string_view bytes, ReadMode mode = ReadMode::kByKey) {
    Operation operation;
    operation.kind = kind;
    operation.mode = mode;
    const bool by_key = kind == OperationKind::kRead || kind == OperationKind::kDelete;
    (by_key ? operation.key : operation.record) = bytes;
    return RunOne(*stub_, file, operation);
  }
};

TEST_F(RecordServiceTest, EveryRecordCallRoundTrips) {
  const FileReference file = MakeFile();
  EXPECT_TRUE(Execute(file, OperationKind::kWrite, "00000001one").ok());
  EXPECT_EQ(*Execute(file, OperationKind::kRead, "00000001"), "00000001one");
  EXPECT_TRUE(Execute(file, OperationKind::kUpdate, "00000001two").ok());
  EXPECT_EQ(*Execute(file, OperationKind::kRead, "0000", ReadMode::kGeneric), "00000001two");
  EXPECT_EQ(*Execute(file, OperationKind::kRead, "00000000", ReadMode::kApproximate),
            "00000001two");
  EXPECT_TRUE(Execute(file, OperationKind::kDelete, "00000001").ok());
}

// A caller that waits is answered in the call, on its own thread; errors are the same.
TEST_F(RecordServiceTest, ACallerThatWaitsIsAnsweredInTheCall) {
  const FileReference file = MakeFile();
  const auto call = [&](Service& service, OperationBatch operation) {
    UnaryRequest request;
    request.file = file;
    request.operation = std::move(operation);
    request.operation.caller_waits = true;
    std::optional<absl::StatusOr<BatchResult>> answer;
    std::thread::id answered_by;
    service.Execute(std::move(request), [&](absl::StatusOr<BatchResult> result) {
      answer = std::move(result);
      answered_by = std::this_thread::get_id();
    });
    EXPECT_TRUE(answer.has_value());
    EXPECT_EQ(answered_by, std::this_thread::get_id());
    return *std::move(answer);
  };
  const auto written = call(*stub_, OneWrite("00000001one"));
  ASSERT_TRUE(written.ok()) << Describe(written.status());
  EXPECT_TRUE(written->results.at(0).status.ok());
  const auto read = call(*stub_, OneRead("00000001"));
  ASSERT_TRUE(read.ok()) << Describe(read.status());
  EXPECT_EQ(read->record(0), "00000001one");
  const auto again = call(*stub_, OneWrite("00000001one"));
  EXPECT_EQ(NumberOf(again.ok() ? again->results.at(0).status : again.status()),
            ErrorNumber::kAlreadyExists);
  fake_->HoldAnswers();
  const std::shared_ptr<Service> hasty =
      MakeGrpcStub({.address = address_, .call_timeout = absl::Milliseconds(200)});
  EXPECT_EQ(NumberOf(call(*hasty, OneRead("00000001")).status()), ErrorNumber::kTimedOut);
  fake_->ReleaseAnswers();
}

TEST_F(RecordServiceTest, BinaryRecordsAndKeysTravel) {
  const FileReference file = MakeFile();
  const std::string record("\0\xFF\x80\0\0\0\0\1\0\xC3", 10);
  EXPECT_TRUE(Execute(file, OperationKind::kWrite, record).ok());
  EXPECT_EQ(*Execute(file, OperationKind::kRead, record.substr(0, 8)), record);
}

// R-S6: a missing key by key is 11, generic and approximate 1.
TEST_F(RecordServiceTest, RS6MissingKeys) {
  const FileReference file = MakeFile();
  const auto number = [&](OperationKind kind, std::string_view bytes,
                          ReadMode mode = ReadMode::kByKey) {
    return NumberOf(Execute(file, kind, bytes, mode).status());
  };
  EXPECT_EQ(number(OperationKind::kRead, "00000001"), ErrorNumber::kNotFound);
  EXPECT_EQ(number(OperationKind::kRead, "00000001", ReadMode::kApproximate),
            ErrorNumber::kEndOfFile);
  EXPECT_EQ(number(OperationKind::kUpdate, "00000001"), ErrorNumber::kNotFound);
  EXPECT_EQ(number(OperationKind::kWrite, "short"), ErrorNumber::kIllegalCount);
}

// R-A5: up to 16 MiB is received and refused with 21; beyond it gRPC answers by itself.
TEST_F(RecordServiceTest, RA5OversizeMessages) {
  const FileReference file = MakeFile();
  const absl::Status big =
      Execute(file, OperationKind::kWrite, std::string(kMaxMessageBytes, 'b')).status();
  EXPECT_EQ(NumberOf(big), ErrorNumber::kIllegalCount);
  const absl::Status bigger =
      Execute(file, OperationKind::kWrite, std::string(kReceiveLimitBytes + 1, 'b')).status();
  EXPECT_EQ(bigger.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(NumberOf(bigger), ErrorNumber::kNoBufferSpace);
  EXPECT_TRUE(Execute(file, OperationKind::kWrite, "00000001").ok());
}

// R-A1: every number and every advice survives the way over a real connection.
TEST_F(RecordServiceTest, RA1EveryErrorRoundTrips) {
  const FileReference file = MakeFile();
  absl::Status wanted;
  fake_->FailWith(
      [&](const std::string& what) { return what == "Execute" ? wanted : absl::OkStatus(); });
  for (int number = 1; number <= 201; ++number) {
    const auto error = static_cast<ErrorNumber>(number);
    if (ErrorName(error) == "unknown") continue;
    for (const Retry retry :
         {Retry::kNever, Retry::kSafe, Retry::kOutcomeUnknown, Retry::kReopen}) {
      wanted = MakeError(error, "what is wrong and \xC3\xBC what to do", retry);
      const absl::Status seen = Execute(file, OperationKind::kRead, "00000001").status();
      EXPECT_EQ(seen, wanted) << number;
    }
  }
}

// R-A1: the trailers, for clients that know nothing of ErrorDetail.
TEST_F(RecordServiceTest, RA1TrailersAreAscii) {
  auto stub = v1::RecordService::NewStub(MakeChannel(address_));
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer nobody looks at it yet");  // R-A4
  context.AddMetadata("quire-client", "python");
  v1::ReadRequest request;
  v1::ReadResponse response;
  v1::FileName* name = request.mutable_file()->mutable_name();
  name->set_volume("$DATA01");
  name->set_subvolume("SUB");
  name->set_file("FILE");
  EXPECT_EQ(stub->Read(&context, request, &response).error_code(), grpc::StatusCode::NOT_FOUND);
  const auto& trailers = context.GetServerTrailingMetadata();
  const auto trailer = [&](const char* key) {
    const auto found = trailers.find(key);
    return found == trailers.end() ? std::string()
                                   : std::string(found->second.data(), found->second.size());
  };
  EXPECT_EQ(trailer("quire-error"), "11");
  EXPECT_EQ(trailer("quire-error-name"), "not-found");
  EXPECT_EQ(trailer("quire-retry"), "NEVER");
}

// R-S4: without a time of the caller's own, a read gives up shortly before its deadline.
TEST_F(RecordServiceTest, RS4LockTimeoutComesFromTheDeadline) {
  const FileReference file = MakeFile();
  fake_->KeepRequests();
  const std::shared_ptr<Service> bounded =
      MakeGrpcStub({.address = address_, .call_timeout = absl::Seconds(20)});
  const auto read = [&](const std::shared_ptr<Service>& stub, uint32_t lock_timeout_ms) {
    UnaryRequest request{file, OneRead("00000001")};
    request.operation.lock_timeout_ms = lock_timeout_ms;
    EXPECT_TRUE(Await<BatchResult>([&](Done<BatchResult> done) {
                  stub->Execute(std::move(request), std::move(done));
                })
                    .status()
                    .code() == absl::StatusCode::kNotFound);
    return fake_->requests().batches.back().lock_timeout_ms;
  };
  EXPECT_LE(read(bounded, 0), 19900u);
  EXPECT_GE(read(bounded, 0), 1u);
  EXPECT_EQ(read(bounded, 77), 77u);
  const std::shared_ptr<Service> unbounded =
      MakeGrpcStub({.address = address_, .call_timeout = absl::InfiniteDuration()});
  EXPECT_EQ(read(unbounded, 0), kLockTimeoutMs);
}

TEST_F(RecordServiceTest, RS4ScansWithALockModeGetOneToo) {
  ScanRequest scan;
  scan.file = MakeFile();
  fake_->KeepRequests();
  EXPECT_TRUE(ScanAll(*stub_, scan).ok());
  EXPECT_EQ(fake_->requests().scans.back().lock_timeout_ms, 0u);
  scan.lock_mode = LockMode::kNormal;
  EXPECT_TRUE(ScanAll(*stub_, scan).ok());
  EXPECT_EQ(fake_->requests().scans.back().lock_timeout_ms, kLockTimeoutMs);
  EXPECT_EQ(fake_->requests().scans.back().lock_mode, LockMode::kNormal);
}

// R-S2: what names the call reaches the service.
TEST_F(RecordServiceTest, RS2SequenceReachesTheService) {
  UnaryRequest request{MakeFile(), OneWrite("00000001")};
  request.file.client_id = 5;
  request.operation.first_sequence = 6;
  fake_->KeepRequests();
  EXPECT_TRUE(Await<BatchResult>([&](Done<BatchResult> done) {
                stub_->Execute(std::move(request), std::move(done));
              }).ok());
  EXPECT_EQ(fake_->requests().batches.back().first_sequence, 6u);
}

TEST_F(RecordServiceTest, AnswerAfterCancellationDoesNoHarm) {
  const FileReference file = MakeFile();
  fake_->HoldAnswers();
  const std::shared_ptr<Service> hasty =
      MakeGrpcStub({.address = address_, .call_timeout = absl::Milliseconds(200)});
  const OperationBatch read = OneRead("00000001");
  const absl::StatusOr<std::string> record = RunOne(*hasty, file, read[0]);
  EXPECT_EQ(NumberOf(record.status()), ErrorNumber::kTimedOut);
  EXPECT_EQ(RetryOf(record.status()), Retry::kOutcomeUnknown);
  fake_->ReleaseAnswers();
  EXPECT_EQ(NumberOf(Execute(file, OperationKind::kRead, "00000001").status()),
            ErrorNumber::kNotFound);
}

}  // namespace
}  // namespace quire::test
