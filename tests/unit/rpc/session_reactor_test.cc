#include "grpcpp/grpcpp.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/v1/record.grpc.pb.h"
#include "tests/support/test_random.h"
#include "tests/unit/rpc/rpc_fixture.h"

namespace quire::test {
namespace {

using SessionTest = RpcFixture;

// R-S1: a session begins with Open/Opened, and the limits are those of limits.h.
TEST_F(SessionTest, RS1OpenedCarriesLimitsAndLabel) {
  OpenRequest open = OpenOf(MakeFile());
  open.file.open_id = 4711;
  KeptSession session(*stub_, open);
  const absl::StatusOr<Opened> opened = session.opened();
  ASSERT_TRUE(opened.ok()) << opened.status();
  EXPECT_EQ(opened->open_id, 4711u);
  EXPECT_EQ(opened->credits, kSessionCredits);
  EXPECT_EQ(opened->max_batch_bytes, kMaxBatchBytes);
  EXPECT_EQ(opened->info.attributes.key_length, 8u);
  EXPECT_TRUE(session.Close().ok());
}

TEST_F(SessionTest, OpenOfAMissingFileCarriesTheNumber) {
  FileReference file;
  file.name = FileName{"", "$DATA01", "SUB", "NOFILE"};
  KeptSession session(*stub_, OpenOf(file));
  EXPECT_EQ(NumberOf(session.opened().status()), ErrorNumber::kNotFound);
  EXPECT_EQ(NumberOf(session.WaitClosed()), ErrorNumber::kNotFound);
}

// R-S5: results come in request order, numbered; the fake answers from within Submit, held answers
// come later from another thread.
TEST_F(SessionTest, RS5ResultsKeepTheirOrderUnderLoad) {
  TestRandom random;
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  constexpr size_t kBatches = 1000;
  uint64_t sequence = 1;
  std::vector<uint64_t> first_sequences;
  std::vector<size_t> sizes;
  uint64_t next_key = 0;
  for (size_t sent = 0; sent < kBatches; ++sent) {
    if (sent % 16 == 0 && sent >= 32) session.WaitForResults(sent - 31);
    if (random.OneIn(64)) fake_->HoldAnswers();
    OperationBatch batch;
    batch.first_sequence = sequence;
    const size_t operations = random.Between(1, 16);
    for (size_t i = 0; i < operations; ++i) {
      const std::string record = Key(next_key++) + std::string(random.Below(300), 'x');
      batch.Add(OneWrite(record)[0]);
    }
    first_sequences.push_back(sequence);
    sizes.push_back(operations);
    sequence += operations;
    session.SubmitNowait(std::move(batch));
    fake_->ReleaseAnswers();
  }
  const std::vector<BatchResult> results = session.WaitForResults(kBatches);
  ASSERT_EQ(results.size(), kBatches);
  for (size_t i = 0; i < kBatches; ++i) {
    EXPECT_EQ(results[i].first_sequence, first_sequences[i]);
    ASSERT_EQ(results[i].results.size(), sizes[i]);
    for (const OperationResult& one : results[i].results) EXPECT_TRUE(one.status.ok());
  }
  EXPECT_TRUE(session.Close().ok());
  EXPECT_EQ(fake_->Records("$DATA01.SUB.FILE").size(), next_key);
}

TEST_F(SessionTest, MixedBatchAnswersEachOperation) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  OperationBatch batch;
  batch.Add(OneWrite("00000001one")[0]);
  batch.Add(OneWrite("00000001two")[0]);
  batch.Add(OneRead("00000001")[0]);
  batch.Add(OneRead("00000009")[0]);
  batch.Add(OneRead("0000", ReadMode::kGeneric)[0]);
  Operation remove;
  remove.kind = OperationKind::kDelete;
  remove.key = "00000001";
  batch.Add(remove);
  const BatchResult result = session.Submit(std::move(batch));
  ASSERT_EQ(result.results.size(), 6u);
  EXPECT_TRUE(result.results[0].status.ok());
  EXPECT_EQ(NumberOf(result.results[1].status), ErrorNumber::kAlreadyExists);
  EXPECT_EQ(result.record(2), "00000001one");
  EXPECT_EQ(NumberOf(result.results[3].status), ErrorNumber::kNotFound);
  EXPECT_EQ(result.record(4), "00000001one");
  EXPECT_TRUE(result.results[5].status.ok());
}

TEST_F(SessionTest, CloseAnswersWhatWasSubmitted) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  for (uint64_t i = 0; i < 40; ++i) session.SubmitNowait(OneWrite(Key(i)));
  EXPECT_TRUE(session.Close().ok());
  EXPECT_EQ(session.WaitForResults(40).size(), 40u);
  EXPECT_TRUE(Eventually([&] { return fake_->open_sessions() == 0; }));
}

TEST_F(SessionTest, ClientThatVanishesEndsTheOpen) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  ASSERT_TRUE(Eventually([&] { return fake_->open_sessions() == 1; }));
  fake_->HoldAnswers();
  session.SubmitNowait(OneWrite("00000001"));
  ASSERT_TRUE(Eventually([&] { return fake_->answers_held() == 1; }));
  session.Drop();
  EXPECT_TRUE(Eventually([&] { return fake_->open_sessions() == 0; }));
  // An answer to nobody does no harm.
  fake_->ReleaseAnswers();
  EXPECT_EQ(NumberOf(session.WaitClosed()), ErrorNumber::kPathDown);
}

// R-A5: a batch beyond the limits is 21, after what came before it is answered.
TEST_F(SessionTest, RA5BatchBeyondTheLimitIsRefused) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  session.SubmitNowait(OneWrite("00000001"));
  OperationBatch batch;
  const std::string record(kMaxBatchBytes / 2 + 1, '7');
  batch.Add(OneWrite(record)[0]);
  batch.Add(OneWrite(record)[0]);
  session.SubmitNowait(std::move(batch));
  EXPECT_EQ(NumberOf(session.WaitClosed()), ErrorNumber::kIllegalCount);
  EXPECT_EQ(session.WaitForResults(1).size(), 1u);
}

TEST_F(SessionTest, ReadsBeyondOneMessageAreAnsweredRetrySafe) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  session.Submit(OneWrite("00000001" + std::string(1992, 'r')));
  OperationBatch batch;
  for (uint32_t i = 0; i < kMaxBatchOperations; ++i) batch.Add(OneRead("00000001")[0]);
  const BatchResult result = session.Submit(std::move(batch));
  ASSERT_EQ(result.results.size(), kMaxBatchOperations);
  EXPECT_EQ(result.record(0).size(), 2000u);
  EXPECT_EQ(NumberOf(result.results.back().status), ErrorNumber::kNoBufferSpace);
  EXPECT_EQ(RetryOf(result.results.back().status), Retry::kSafe);
  EXPECT_LT(result.data.size(), kMaxMessageBytes);
}

// A raw client that sends what the stub never would.
class RawSessionTest : public RpcFixture {
 protected:
  // The status of a session that sends these requests and closes its side.
  grpc::Status Run(const std::vector<v1::SessionRequest>& requests) {
    auto stub = v1::RecordService::NewStub(MakeChannel(address_));
    grpc::ClientContext context;
    auto stream = stub->Session(&context);
    for (const v1::SessionRequest& request : requests) stream->Write(request);
    stream->WritesDone();
    v1::SessionResponse response;
    while (stream->Read(&response)) last_ = response;
    return stream->Finish();
  }

  v1::SessionRequest OpenMessage() {
    v1::SessionRequest request;
    v1::FileName* name = request.mutable_open()->mutable_file()->mutable_name();
    name->set_volume("$DATA01");
    name->set_subvolume("SUB");
    name->set_file("FILE");
    return request;
  }

  v1::SessionResponse last_;
};

TEST_F(RawSessionTest, BatchBeforeOpenIs22) {
  v1::SessionRequest batch;
  batch.mutable_batch()->add_write_lengths(0);
  EXPECT_EQ(Run({batch}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(last_.error().number(), 22);
}

TEST_F(RawSessionTest, EmptyMessageIs22) {
  EXPECT_EQ(Run({v1::SessionRequest()}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(RawSessionTest, SecondOpenIs22) {
  MakeFile();
  EXPECT_EQ(Run({OpenMessage(), OpenMessage()}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(RawSessionTest, LengthsBeyondTheDataAre22) {
  MakeFile();
  v1::SessionRequest batch;
  batch.mutable_batch()->add_write_lengths(4000000000u);
  batch.mutable_batch()->set_data("short");
  EXPECT_EQ(Run({OpenMessage(), batch}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  v1::SessionRequest operations;
  operations.mutable_batch()->add_operations()->set_length(4000000000u);
  EXPECT_EQ(Run({OpenMessage(), operations}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

// R-A4: unknown enumerators are 22.
TEST_F(RawSessionTest, RA4UnknownEnumeratorIs22) {
  MakeFile();
  v1::SessionRequest batch;
  batch.mutable_batch()->add_operations()->set_kind(static_cast<v1::OperationKind>(77));
  Run({OpenMessage(), batch});
  EXPECT_EQ(last_.error().number(), 22);
  v1::SessionRequest open = OpenMessage();
  open.mutable_open()->set_access(static_cast<v1::AccessMode>(77));
  Run({open});
  EXPECT_EQ(last_.error().number(), 22);
}

TEST_F(RawSessionTest, ClosingTheClientsSideIsAClose) {
  MakeFile();
  v1::SessionRequest batch;
  batch.mutable_batch()->add_write_lengths(8);
  batch.mutable_batch()->set_data("00000001");
  EXPECT_TRUE(Run({OpenMessage(), batch}).ok());
  EXPECT_EQ(last_.result().count(), 1u);
  EXPECT_EQ(fake_->Records("$DATA01.SUB.FILE").size(), 1u);
}

TEST_F(RawSessionTest, NothingSentEndsWithoutAnOpen) {
  EXPECT_TRUE(Run({}).ok());
}

}  // namespace
}  // namespace quire::test
