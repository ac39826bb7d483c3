#include <atomic>
#include <future>
#include <thread>
#include <utility>

#include "client/transport/convert_error.h"
#include "grpcpp/generic/generic_stub.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "tests/unit/rpc/rpc_fixture.h"

namespace quire::test {
namespace {

class ScanTest : public RpcFixture {
 protected:
  // `count` records of 100 bytes.
  void Fill(uint64_t count) {
    request_.file = MakeFile();
    KeptSession session(*stub_, OpenOf(request_.file));
    for (uint64_t i = 0; i < count;) {
      OperationBatch batch;
      for (int n = 0; n < 1000 && i < count; ++n, ++i) {
        batch.Add(OneWrite(Key(i) + std::string(92, 's'))[0]);
      }
      session.Submit(std::move(batch));
    }
    ASSERT_TRUE(session.Close().ok());
  }

  ScanRequest request_;
};

TEST_F(ScanTest, RA2RecordsComeOnceAndInOrder) {
  Fill(10000);
  request_.chunk_bytes = 4096;
  const absl::StatusOr<std::vector<std::string>> records = ScanAll(*stub_, request_);
  ASSERT_TRUE(records.ok()) << records.status();
  ASSERT_EQ(records->size(), 10000u);
  for (uint64_t i = 0; i < records->size(); ++i) EXPECT_EQ((*records)[i].substr(0, 8), Key(i));
}

TEST_F(ScanTest, RA2RangeReverseAndExclusiveStartTravel) {
  Fill(100);
  request_.range = {Key(10), Key(20)};
  request_.start_exclusive = true;
  EXPECT_EQ(ScanAll(*stub_, request_)->size(), 9u);
  request_.start_exclusive = false;
  request_.reverse = true;
  request_.max_records = 3;
  const absl::StatusOr<std::vector<std::string>> records = ScanAll(*stub_, request_);
  ASSERT_EQ(records->size(), 3u);
  EXPECT_EQ(records->front().substr(0, 8), Key(19));
}

// R-S6: an empty scan is OK; reading on after the end is 1.
TEST_F(ScanTest, RS6EmptyScanIsOneEmptyPageWithEnd) {
  Fill(0);
  const std::unique_ptr<ScanStream> scan = stub_->Scan(request_);
  const auto next = [&] {
    return Await<ScanPage>([&](Done<ScanPage> done) { scan->Next(std::move(done)); });
  };
  const absl::StatusOr<ScanPage> page = next();
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_TRUE(page->end);
  EXPECT_EQ(page->chunk.size(), 0u);
  EXPECT_EQ(NumberOf(next().status()), ErrorNumber::kEndOfFile);
}

TEST_F(ScanTest, ErrorAfterSomePagesArrivesBehindThem) {
  Fill(1000);
  request_.chunk_bytes = 10000;
  std::atomic<int> pages{0};
  fake_->FailWith([&](const std::string& what) {
    if (what != "Scan" || ++pages <= 3) return absl::OkStatus();
    return MakeError(ErrorNumber::kVolumeDown, "the partition is down; last key 00000299");
  });
  const std::unique_ptr<ScanStream> scan = stub_->Scan(request_);
  const auto next = [&] {
    return Await<ScanPage>([&](Done<ScanPage> done) { scan->Next(std::move(done)); });
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(next()->chunk.size(), 100u);
  const absl::Status status = next().status();
  EXPECT_EQ(NumberOf(status), ErrorNumber::kVolumeDown);
  EXPECT_EQ(status.message(), "the partition is down; last key 00000299");
  EXPECT_EQ(NumberOf(next().status()), ErrorNumber::kEndOfFile);
}

TEST_F(ScanTest, SlowReaderStopsTheScan) {
  Fill(60000);
  request_.chunk_bytes = 100000;  // 60 pages of 100,000 bytes
  std::unique_ptr<ScanStream> scan = stub_->Scan(request_);
  ASSERT_TRUE(Await<ScanPage>([&](Done<ScanPage> done) { scan->Next(std::move(done)); }).ok());
  // What the connection's windows take is read ahead, never the whole file.
  uint64_t before = 0;
  ASSERT_TRUE(Eventually([&] {
    const uint64_t now = fake_->pages_read();
    return std::exchange(before, now) == now && now > 1;
  }));
  EXPECT_LT(fake_->pages_read(), 60u);
  scan.reset();
  EXPECT_TRUE(Eventually([&] { return fake_->open_scans() == 0; }));
}

// Where the connection takes no more, one page waits behind the write: neither it nor the error
// behind it may get lost or change places.
TEST_F(ScanTest, ErrorComesBehindThePagesThatWaited) {
  Fill(60000);
  request_.chunk_bytes = 100000;  // 60 pages
  std::atomic<bool> down{false};
  fake_->FailWith([&](const std::string& what) {
    if (what != "Scan" || !down) return absl::OkStatus();
    return MakeError(ErrorNumber::kVolumeDown, "the partition is down");
  });
  const std::unique_ptr<ScanStream> scan = stub_->Scan(request_);
  uint64_t before = 0;
  ASSERT_TRUE(Eventually([&] {
    const uint64_t now = fake_->pages_read();
    return std::exchange(before, now) == now && now > 1;
  }));
  down = true;
  uint64_t records = 0;
  absl::StatusOr<ScanPage> page = absl::UnknownError("none yet");
  while (true) {
    page = Await<ScanPage>([&](Done<ScanPage> done) { scan->Next(std::move(done)); });
    if (!page.ok()) break;
    EXPECT_EQ(page->chunk.data.substr(0, 8), Key(records));
    records += page->chunk.size();
  }
  EXPECT_EQ(NumberOf(page.status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(records, fake_->pages_read() * 1000);
  EXPECT_LT(records, 60000u);
}

// Asked for while the first page is written, and answered when the call has ended.
TEST_F(ScanTest, PageThatComesAfterTheCallIsDropped) {
  Fill(10000);
  request_.chunk_bytes = 4096;
  std::unique_ptr<ScanStream> scan = stub_->Scan(request_);
  ASSERT_TRUE(Await<ScanPage>([&](Done<ScanPage> done) { scan->Next(std::move(done)); }).ok());
  fake_->HoldAnswers();
  std::thread reader([&] {
    while (Await<ScanPage>([&](Done<ScanPage> done) { scan->Next(std::move(done)); }).ok()) {
    }
  });
  ASSERT_TRUE(Eventually([&] { return fake_->answers_held() == 1; }));
  server_->Stop(absl::ZeroDuration());
  reader.join();
  fake_->ReleaseAnswers();
  EXPECT_TRUE(Eventually([&] { return fake_->open_scans() == 0; }));
}

TEST_F(ScanTest, CancelledScanIsDropped) {
  Fill(10);
  fake_->HoldAnswers();
  std::unique_ptr<ScanStream> scan = stub_->Scan(request_);
  std::promise<void> answered;
  scan->Next([&](const absl::StatusOr<ScanPage>& page) {
    EXPECT_EQ(NumberOf(page.status()), ErrorNumber::kPathDown);
    answered.set_value();
  });
  ASSERT_TRUE(Eventually([&] { return fake_->answers_held() == 1; }));
  scan.reset();
  answered.get_future().wait();
  EXPECT_TRUE(Eventually([&] { return fake_->open_scans() == 0; }));
}

TEST_F(ScanTest, BadRequestsCarryTheirNumbers) {
  Fill(1);
  request_.chunk_bytes = kMaxMessageBytes + 1;
  EXPECT_EQ(NumberOf(ScanAll(*stub_, request_).status()), ErrorNumber::kIllegalCount);
  request_.chunk_bytes = 0;
  request_.file.name.file = "1BAD";
  EXPECT_EQ(NumberOf(ScanAll(*stub_, request_).status()), ErrorNumber::kIllegalName);
}

// Scan reads its request from the bytes itself.
TEST_F(ScanTest, BytesThatAreNoRequestAre22) {
  grpc::GenericStub stub(MakeChannel(address_));
  const grpc::Slice tag_without_length("\x0A", 1);
  const grpc::ByteBuffer request(&tag_without_length, 1);
  grpc::ByteBuffer response;
  grpc::ClientContext context;
  std::promise<grpc::Status> ended;
  stub.UnaryCall(&context, "/quire.v1.RecordService/Scan", grpc::StubOptions(), &request, &response,
                 [&](grpc::Status status) { ended.set_value(std::move(status)); });
  const grpc::Status status = ended.get_future().get();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(NumberOf(FromGrpc(status, context, address_)), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace quire::test
