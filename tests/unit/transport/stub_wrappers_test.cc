// The wrappers around a Service, and a stub without a server.
#include <mutex>

#include "client/transport/channel.h"
#include "client/transport/counting_stub.h"
#include "client/transport/grpc_stub.h"
#include "client/transport/logging_stub.h"
#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/support/blocking.h"
#include "tests/support/fake_service.h"

namespace quire::test {
namespace {

FileReference Make(Service& service) {
  CreateRequest create;
  create.name = FileName{"", "$DATA01", "SUB", "FILE"};
  create.attributes.key_length = 8;
  EXPECT_TRUE(
      Await<FileInfo>([&](Done<FileInfo> done) { service.Create(create, std::move(done)); }).ok());
  FileReference file;
  file.name = create.name;
  return file;
}

// One of everything.
void UseAll(Service& service) {
  const FileReference file = Make(service);
  OpenRequest open;
  open.file = file;
  KeptSession session(service, open);
  session.Submit(OneWrite("00000001"));
  session.Cancel(7);
  EXPECT_TRUE(session.Close().ok());
  KeptSession detached(service, open);
  detached.Detach();
  EXPECT_EQ(NumberOf(detached.WaitClosed()), ErrorNumber::kVolumeDown);
  const OperationBatch read = OneRead("00000001");
  EXPECT_TRUE(RunOne(service, file, read[0]).ok());
  ScanRequest scan;
  scan.file = file;
  EXPECT_EQ(ScanAll(service, scan)->size(), 1u);
  const std::unique_ptr<LoadStream> load = service.Load({file, false});
  RecordChunk chunk;
  chunk.Add("00000002");
  EXPECT_TRUE(Await<LoadAnswer>([&](Done<LoadAnswer> done) {
                load->Send(std::move(chunk), std::move(done));
              }).ok());
  EXPECT_TRUE(AwaitStatus([&](DoneStatus done) { load->Finish(std::move(done)); }).ok());
  EXPECT_TRUE(Await<FileDescription>([&](Done<FileDescription> done) {
                service.Info(file, std::move(done));
              }).ok());
  AlterRequest alter;
  alter.file = file;
  EXPECT_TRUE(AwaitStatus([&](DoneStatus d) { service.Alter(alter, std::move(d)); }).ok());
  ListRequest list;
  list.fileset = FileName{"", "$*", "*", "*"};
  EXPECT_TRUE(
      Await<ListPage>([&](Done<ListPage> done) { service.List(list, std::move(done)); }).ok());
  EXPECT_TRUE(Await<ListOpensPage>([&](Done<ListOpensPage> done) {
                service.ListOpens(ListOpensRequest{file, 0, {}}, std::move(done));
              }).ok());
  const absl::StatusOr<ListLocksPage> locks = Await<ListLocksPage>([&](Done<ListLocksPage> done) {
    service.ListLocks(ListLocksRequest{file, false, 0, {}}, std::move(done));
  });
  EXPECT_EQ(locks->next_page_token, "next");
  using Names = std::vector<std::string>;
  EXPECT_TRUE(Await<Names>([&](Done<Names> done) { service.Volumes(std::move(done)); }).ok());
  EXPECT_TRUE(Await<RefreshAnswer>([&](Done<RefreshAnswer> done) {
                service.Refresh("$DATA01", std::move(done));
              }).ok());
  using Checks = std::vector<PartitionCheck>;
  EXPECT_TRUE(Await<Checks>([&](Done<Checks> done) { service.Check(file, std::move(done)); }).ok());
  EXPECT_TRUE(Await<MeasureSnapshot>([&](Done<MeasureSnapshot> done) {
                service.Snapshot({}, std::move(done));
              }).ok());
  EXPECT_TRUE(AwaitStatus([&](DoneStatus done) {
                service.Purge(PurgeRequest{file, false}, std::move(done));
              }).ok());
}

TEST(CountingStubTest, CountsEveryKindOfCall) {
  const auto counts = std::make_shared<CallCounts>();
  const auto counting = MakeCountingStub(std::make_shared<FakeService>(), counts);
  UseAll(*counting);
  EXPECT_EQ(counts->sessions, 2u);
  EXPECT_EQ(counts->cancels, 1u);
  EXPECT_EQ(counts->batches, 1u);
  EXPECT_EQ(counts->unary, 1u);
  EXPECT_EQ(counts->operations, 2u);
  EXPECT_EQ(counts->scans, 1u);
  EXPECT_EQ(counts->scan_pages, 1u);
  EXPECT_EQ(counts->loads, 1u);
  EXPECT_EQ(counts->load_chunks, 1u);
  EXPECT_EQ(counts->file_calls, 10u);
  EXPECT_EQ(counts->snapshots, 1u);
}

TEST(LoggingStubTest, WritesALineForEveryCall) {
  std::mutex mutex;
  std::string log;
  const auto fake = std::make_shared<FakeService>();
  const auto logging = MakeLoggingStub(fake, [&](const std::string& line) {
    const std::lock_guard<std::mutex> lock(mutex);
    log += line + "\n";
  });
  UseAll(*logging);
  for (const char* call : {"CREATE", "SESSION", "EXECUTE", "SCAN", "LOAD", "INFO", "ALTER", "PURGE",
                           "LISTOPENS", "LISTLOCKS", "CHECK"}) {
    EXPECT_NE(log.find(std::string(call) + " $DATA01.SUB.FILE: ok ("), std::string::npos) << log;
  }
  for (const char* line : {"LIST $*.*.*: ok", "VOLUMES *: ok", "REFRESH $DATA01: ok",
                           "SNAPSHOT *: ok", "SCAN $DATA01.SUB.FILE: started"}) {
    EXPECT_NE(log.find(line), std::string::npos) << line;
  }
  fake->FailWith([](const std::string&) { return MakeError(ErrorNumber::kVolumeDown, "down"); });
  EXPECT_FALSE(
      AwaitStatus([&](DoneStatus done) { logging->Purge(PurgeRequest(), std::move(done)); }).ok());
  EXPECT_NE(log.find("error 66 (volume-down): down"), std::string::npos) << log;
}

// Nobody listens on port 1: nothing can have been sent, so every call is 66 and safe to repeat.
TEST(GrpcStubTest, WithoutAServerEveryCallIs66RetrySafe) {
  const auto stub = MakeGrpcStub({.address = "127.0.0.1:1"});
  const auto expect_down = [](const absl::Status& status) {
    EXPECT_EQ(NumberOf(status), ErrorNumber::kVolumeDown) << status;
    EXPECT_EQ(RetryOf(status), Retry::kSafe) << status;
  };
  FileReference file;
  file.name = FileName{"", "$DATA01", "SUB", "FILE"};
  const OperationBatch read = OneRead("k");
  expect_down(RunOne(*stub, file, read[0]).status());
  OpenRequest open;
  open.file = file;
  KeptSession session(*stub, open);
  expect_down(session.opened().status());
  expect_down(session.WaitClosed());
  ScanRequest scan;
  scan.file = file;
  expect_down(ScanAll(*stub, scan).status());
  const std::unique_ptr<LoadStream> load = stub->Load({file, false});
  expect_down(AwaitStatus([&](DoneStatus done) { load->Finish(std::move(done)); }));
}

// Operations of sessions are refused before anything is sent.
TEST(GrpcStubTest, OperationsThatNeedASessionAre22) {
  const auto stub = MakeGrpcStub({.address = "127.0.0.1:1"});
  FileReference file;
  file.name = FileName{"", "$DATA01", "SUB", "FILE"};
  Operation operation;
  operation.key = "k";
  operation.lock = true;
  EXPECT_EQ(NumberOf(RunOne(*stub, file, operation).status()), ErrorNumber::kBadParameter);
  for (uint32_t kind = 5; kind <= 16; ++kind) {
    operation = Operation();
    operation.kind = static_cast<OperationKind>(kind);
    EXPECT_EQ(NumberOf(RunOne(*stub, file, operation).status()), ErrorNumber::kBadParameter);
  }
  UnaryRequest positioned{file, OneRead("k")};
  positioned.operation.position.emplace();
  EXPECT_EQ(NumberOf(Await<BatchResult>([&](Done<BatchResult> done) {
                       stub->Execute(std::move(positioned), std::move(done));
                     }).status()),
            ErrorNumber::kBadParameter);
}

// R-A5: what the client sends and what the server permits must agree.
TEST(ChannelTest, RA5KeepaliveOfBothSidesAgrees) {
  EXPECT_LT(kPermittedPingMs, kKeepaliveMs);
  EXPECT_EQ(ChannelTarget("host:7000"), "dns:///host:7000");
}

}  // namespace
}  // namespace quire::test
