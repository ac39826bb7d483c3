// Sessions as clients in other languages may send them: with the messages themselves.
#include "grpcpp/grpcpp.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/v1/record.grpc.pb.h"
#include "tests/unit/rpc/rpc_fixture.h"

namespace quire::test {
namespace {

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

  static FileReference Reference() {
    FileReference file;
    file.name = FileName{"", "$DATA01", "SUB", "FILE"};
    return file;
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

TEST_F(RawSessionTest, CancelBeforeOpenIs22) {
  v1::SessionRequest cancel;
  cancel.mutable_cancel()->set_sequence(1);
  EXPECT_EQ(Run({cancel}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(last_.error().number(), 22);
}

TEST_F(RawSessionTest, EmptyMessageIs22) {
  EXPECT_EQ(Run({v1::SessionRequest()}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(RawSessionTest, SecondOpenIs22) {
  MakeFile();
  EXPECT_EQ(Run({OpenMessage(), OpenMessage()}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  // What the session held is released, not left to the lease.
  EXPECT_EQ(fake_->closed_sessions(), 1);
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
  EXPECT_EQ(fake_->closed_sessions(), 1);
}

// Bytes that no server gave: a position and a token.
TEST_F(RawSessionTest, RS1BytesThatDoNotDecodeAre22) {
  MakeFile();
  v1::SessionRequest batch;
  batch.mutable_batch()->set_position("no position");
  EXPECT_EQ(Run({OpenMessage(), batch}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(last_.error().number(), 22);
  EXPECT_EQ(fake_->closed_sessions(), 1);
  v1::SessionRequest open = OpenMessage();
  open.mutable_open()->mutable_resume()->set_token("no token");
  EXPECT_EQ(Run({open}).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(last_.error().number(), 22);
}

// A client that sends and never reads: its results pile up as far as the credits go, then the
// session ends and lets go of what it held, though nobody takes its last word.
TEST_F(RawSessionTest, ClientThatNeverReadsIsStoppedByItsCredits) {
  MakeFile();
  const std::string record = Key(1) + std::string(1900, 'r');
  EXPECT_TRUE(RunOne(*stub_, Reference(), OneWrite(record)[0]).ok());
  v1::SessionRequest reads;
  reads.mutable_batch()->set_data(std::string());
  for (int i = 0; i < 500; ++i) {
    v1::Operation* operation = reads.mutable_batch()->add_operations();
    operation->set_kind(v1::OPERATION_KIND_READ);
    operation->set_length(8);
    *reads.mutable_batch()->mutable_data() += Key(1);
  }
  fake_->KeepRequests();
  auto stub = v1::RecordService::NewStub(MakeChannel(address_));
  grpc::ClientContext context;
  auto stream = stub->Session(&context);
  ASSERT_TRUE(stream->Write(OpenMessage()));
  // The server stops reading, so the writes end when the connection's windows are full; the end of
  // the session ends them too.
  std::thread writer([&] {
    for (int i = 0; i < 100000 && stream->Write(reads); ++i) {
    }
  });
  EXPECT_TRUE(Eventually([&] { return fake_->closed_sessions() == 1; }));
  // Beyond the credits only what the connection itself holds: a few results of nearly 1 MB each.
  EXPECT_LT(fake_->requests().batches.size(), kSessionCredits + 32u);
  context.TryCancel();
  writer.join();
  stream->Finish();
}

TEST_F(RawSessionTest, ClosingTheClientsSideIsAClose) {
  MakeFile();
  v1::SessionRequest batch;
  batch.mutable_batch()->add_write_lengths(8);
  batch.mutable_batch()->set_data("00000001");
  EXPECT_TRUE(Run({OpenMessage(), batch}).ok());
  EXPECT_EQ(last_.result().count(), 1u);
  EXPECT_EQ(fake_->Records("$DATA01.SUB.FILE").size(), 1u);
  EXPECT_EQ(fake_->closed_sessions(), 1);
}

TEST_F(RawSessionTest, NothingSentEndsWithoutAnOpen) {
  EXPECT_TRUE(Run({}).ok());
}

}  // namespace
}  // namespace quire::test
