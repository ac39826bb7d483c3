#include "server/rpc/server.h"

#include <future>
#include <thread>

#include "grpcpp/generic/generic_stub.h"
#include "grpcpp/grpcpp.h"
#include "quire/error.h"
#include "quire/v1/file.pb.h"
#include "quire/v1/measure.pb.h"
#include "quire/v1/record.pb.h"
#include "tests/unit/rpc/rpc_fixture.h"

namespace quire::test {
namespace {

class ServerTest : public RpcFixture {
 protected:
  // Calls any method with these request bytes and closes the client's side. A generic client: it
  // knows no proto file.
  grpc::Status Call(const std::string& method, const std::string& request,
                    std::string* response = nullptr) {
    grpc::GenericStub stub(MakeChannel(address_));
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    grpc::CompletionQueue queue;
    const auto wait = [&] {
      void* tag = nullptr;
      bool ok = false;
      return queue.Next(&tag, &ok) && ok;
    };
    const auto call = stub.PrepareCall(&context, method, &queue);
    call->StartCall(nullptr);
    wait();
    const grpc::Slice slice(request);
    call->Write(grpc::ByteBuffer(&slice, 1), nullptr);
    if (wait()) {
      call->WritesDone(nullptr);
      wait();
    }
    grpc::ByteBuffer buffer;
    for (call->Read(&buffer, nullptr); wait(); call->Read(&buffer, nullptr)) {
      std::vector<grpc::Slice> slices;
      EXPECT_TRUE(buffer.Dump(&slices).ok());
      if (response == nullptr) continue;
      for (const grpc::Slice& part : slices) {
        response->append(reinterpret_cast<const char*>(part.begin()), part.size());
      }
    }
    grpc::Status status;
    call->Finish(&status, nullptr);
    wait();
    queue.Shutdown();
    return status;
  }

  // Answer of the standard health service: 1 SERVING, 2 NOT_SERVING, 0 anything else.
  int Health(const std::string& service) {
    std::string request;
    if (!service.empty()) {
      request = StrCat("\x0A", std::string(1, static_cast<char>(service.size())), service);
    }
    std::string response;
    const grpc::Status status = Call("/grpc.health.v1.Health/Check", request, &response);
    return status.ok() && response.size() == 2 ? response[1] : 0;
  }
};

const google::protobuf::FileDescriptor* ServiceFiles(int index) {
  switch (index) {
    case 0:
      return v1::WriteRequest::descriptor()->file();
    case 1:
      return v1::CreateRequest::descriptor()->file();
    default:
      return v1::SnapshotRequest::descriptor()->file();
  }
}

// H9: every method of every service takes an empty request without harm, and UNIMPLEMENTED comes
// exactly from those that are not built.
TEST_F(ServerTest, H9OnlyUnwrittenMethodsAreUnimplemented) {
  std::vector<std::string> unimplemented;
  for (int index = 0; index < 3; ++index) {
    const auto* service = ServiceFiles(index)->service(0);
    for (int i = 0; i < service->method_count(); ++i) {
      const std::string method = StrCat("/", service->full_name(), "/", service->method(i)->name());
      const grpc::Status status = Call(method, "");
      EXPECT_NE(status.error_code(), grpc::StatusCode::INTERNAL) << method;
      EXPECT_NE(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED) << method;
      if (status.error_code() == grpc::StatusCode::UNIMPLEMENTED) unimplemented.push_back(method);
    }
  }
  EXPECT_EQ(unimplemented, (std::vector<std::string>{"/quire.v1.MeasureService/Start",
                                                     "/quire.v1.MeasureService/Stop",
                                                     "/quire.v1.MeasureService/Report"}));
}

TEST_F(ServerTest, ReflectionListsTheServices) {
  std::string response;
  // ServerReflectionRequest { list_services: "*" }
  EXPECT_TRUE(Call("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                   std::string("\x3A\x01*"), &response)
                  .ok());
  for (const char* name : {"quire.v1.RecordService", "quire.v1.FileService",
                           "quire.v1.MeasureService", "grpc.health.v1.Health"}) {
    EXPECT_NE(response.find(name), std::string::npos) << name;
  }
}

TEST_F(ServerTest, HealthFollowsTheVolume) {
  for (const char* service :
       {"", "quire.v1.RecordService", "quire.v1.FileService", "quire.v1.MeasureService"}) {
    EXPECT_EQ(Health(service), 1) << service;
  }
  server_->SetServing(false);
  EXPECT_EQ(Health(""), 2);
  EXPECT_EQ(Health("quire.v1.RecordService"), 2);
  EXPECT_EQ(Health("quire.v1.NoSuchService"), 0);
}

// R-S1: a server that stops leaves the open to its lease.
TEST_F(ServerTest, RS1DrainAnswersWhatWasReadAndDetaches) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  fake_->HoldAnswers();
  session.SubmitNowait(OneWrite("00000001"));
  ASSERT_TRUE(Eventually([&] { return fake_->answers_held() == 1; }));
  std::thread stopper([&] { server_->Stop(absl::Seconds(20)); });
  // The drain ends the session behind the batch.
  ASSERT_TRUE(Eventually([&] { return fake_->answers_held() == 2; }));
  fake_->ReleaseAnswers();
  stopper.join();
  const absl::Status status = session.WaitClosed();
  EXPECT_EQ(session.WaitForResults(1).size(), 1u);
  EXPECT_EQ(NumberOf(status), ErrorNumber::kVolumeDown);
  EXPECT_EQ(RetryOf(status), Retry::kSafe);
  EXPECT_EQ(fake_->detached_sessions(), 1);
  EXPECT_EQ(fake_->closed_sessions(), 0);
}

TEST_F(ServerTest, DrainEndsALoad) {
  const std::unique_ptr<LoadStream> load = stub_->Load({MakeFile(), false});
  RecordChunk chunk;
  chunk.Add("00000001");
  EXPECT_TRUE(Await<LoadAnswer>([&](Done<LoadAnswer> done) {
                load->Send(std::move(chunk), std::move(done));
              }).ok());
  server_->Stop(absl::Seconds(20));
  EXPECT_EQ(NumberOf(AwaitStatus([&](DoneStatus done) { load->Finish(std::move(done)); })),
            ErrorNumber::kVolumeDown);
}

// A service that never answers, with clients that never go away: the deadline cuts them off.
TEST_F(ServerTest, DeadlineCutsOffStuckCalls) {
  const FileReference file = MakeFile();
  KeptSession session(*stub_, OpenOf(file));
  ASSERT_TRUE(session.opened().ok());
  fake_->HoldAnswers();
  session.SubmitNowait(OneWrite("00000001"));
  std::promise<void> answered;
  UnaryRequest read{file, OneRead("00000001")};
  stub_->Execute(std::move(read), [&](const absl::StatusOr<BatchResult>& result) {
    EXPECT_EQ(NumberOf(result.status()), ErrorNumber::kPathDown);
    answered.set_value();
  });
  ASSERT_TRUE(Eventually([&] { return fake_->answers_held() == 2; }));
  server_->Stop(absl::Milliseconds(50));
  answered.get_future().wait();
  EXPECT_FALSE(session.WaitClosed().ok());
  EXPECT_EQ(fake_->open_sessions(), 0);
}

TEST_F(ServerTest, StoppedServerIsVolumeDownAndRetrySafe) {
  const FileReference file = MakeFile();
  server_->Stop(absl::ZeroDuration());
  const OperationBatch read = OneRead("00000001");
  // The old connection may still take a call before its end is noticed: 201, outcome unknown.
  ASSERT_TRUE(Eventually([&] {
    const absl::Status status = RunOne(*stub_, file, read[0]).status();
    if (NumberOf(status) == ErrorNumber::kVolumeDown) {
      EXPECT_EQ(RetryOf(status), Retry::kSafe);
      return true;
    }
    EXPECT_EQ(NumberOf(status), ErrorNumber::kPathDown) << status;
    EXPECT_EQ(RetryOf(status), Retry::kOutcomeUnknown);
    return false;
  }));
}

TEST(RpcServerTest, PortInUseIsAnError) {
  const auto first = RpcServer::Start(std::make_shared<FakeService>(), {});
  ASSERT_TRUE(first.ok());
  const auto second = RpcServer::Start(std::make_shared<FakeService>(),
                                       {.address = StrCat("127.0.0.1:", (*first)->port())});
  EXPECT_EQ(NumberOf(second.status()), ErrorNumber::kVolumeDown);
}

}  // namespace
}  // namespace quire::test
