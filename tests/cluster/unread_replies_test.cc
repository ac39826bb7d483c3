// A client that sends and never reads cannot make a server keep more than its open's credits are
// worth. Raw messages: the client library would not do that.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_format.h"
#include "client/transport/channel.h"
#include "gmock/gmock.h"
#include "grpcpp/grpcpp.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"
#include "quire/v1/record.grpc.pb.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

constexpr uint64_t kMiB = 1024 * 1024;
constexpr char kFile[] = "$DATA01.S.BIG";
constexpr char kKey[] = "AAAAAAAA";
// A batch of this many reads is answered with nearly one MiB, below gRPC's own 4 MiB.
constexpr int kReads = 500;
constexpr uint64_t kRecordBytes = 2000;
constexpr uint64_t kReplyBytes = kReads * kRecordBytes;
// What may be waiting to be read: the credits' worth, and what the connection, the round before and
// the allocator hold besides.
constexpr uint64_t kBoundBytes = kSessionCredits * kReplyBytes + 64 * kMiB;
// All replies together, if nothing bounded them: a multiple of that.
constexpr int kBatches = 4000;
static_assert(kBatches * kReplyBytes > 20 * kBoundBytes);

struct Way {
  bool through_router;
  uint32_t sync_depth;
};

class UnreadRepliesTest : public ClusterTest, public testing::WithParamInterface<Way> {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartCluster(1));
    ASSERT_EQ(FupScript(StrCat("SET REC 2000\nSET KEYLEN 8\nCREATE ", kFile, "\n")).exit_code, 0);
    filesystem_ = ConnectToVolumes();
    ASSERT_NE(filesystem_, nullptr);
    auto file = filesystem_->Open(kFile);
    ASSERT_TRUE(file.ok()) << Describe(file.status());
    ASSERT_TRUE((*file)->Write(kKey + std::string(kRecordBytes - 8, 'r')).ok());
    ASSERT_TRUE((*file)->Close().ok());
    stub_ = v1::RecordService::NewStub(
        MakeChannel(GetParam().through_router ? router_address() : volume_address(1)));
  }

  v1::SessionRequest OpenMessage() {
    v1::SessionRequest request;
    v1::FileName* name = request.mutable_open()->mutable_file()->mutable_name();
    name->set_volume("$DATA01");
    name->set_subvolume("S");
    name->set_file("BIG");
    request.mutable_open()->mutable_file()->set_client_name("unread");
    request.mutable_open()->set_sync_depth(GetParam().sync_depth);
    return request;
  }
  static v1::SessionRequest Reads() {
    v1::SessionRequest request;
    for (int i = 0; i < kReads; ++i) {
      v1::Operation* operation = request.mutable_batch()->add_operations();
      operation->set_kind(v1::OPERATION_KIND_READ);
      operation->set_length(8);
      *request.mutable_batch()->mutable_data() += kKey;
    }
    return request;
  }

  // Opens of the file at its volume.
  size_t Opens() {
    const auto opens = filesystem_->ListOpens(*ParseFileName(kFile));
    if (opens.ok()) return opens->size();
    ADD_FAILURE() << Describe(opens.status());
    return 0;
  }

  uint64_t Memory() {
    const uint64_t volume_bytes = ResidentBytes(volume(1).pid());
    return GetParam().through_router ? std::max(volume_bytes, ResidentBytes(router().pid()))
                                     : volume_bytes;
  }

  std::unique_ptr<FileSystem> filesystem_;
  std::unique_ptr<v1::RecordService::Stub> stub_;
};

TEST_P(UnreadRepliesTest, CostNoMoreThanTheCreditsAndEndWith31) {
  const uint64_t before = Memory();
  uint64_t peak = 0;
  // What one stream was allowed is given back before the next.
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    grpc::ClientContext context;
    const auto stream = stub_->Session(&context);
    ASSERT_TRUE(stream->Write(OpenMessage()));
    v1::SessionResponse response;
    ASSERT_TRUE(stream->Read(&response));
    ASSERT_TRUE(response.has_opened());
    ASSERT_EQ(response.opened().credits(), kSessionCredits);
    ASSERT_EQ(Opens(), 1u);
    // Comes to a halt when the server reads no more; ends with the stream.
    std::thread writer([&] {
      v1::SessionRequest reads = Reads();
      uint64_t sequence = 1;
      for (int i = 0; i < kBatches; ++i, sequence += kReads) {
        reads.mutable_batch()->set_first_sequence(sequence);
        if (!stream->Write(reads)) return;
      }
    });
    // The open is closed for it, though nobody reads so.
    EXPECT_TRUE(WaitUntil([&] {
      peak = std::max(peak, Memory());
      return Opens() == 0;
    }));
    peak = std::max(peak, Memory());

    uint64_t results = 0;
    while (stream->Read(&response) && response.has_result()) ++results;
    EXPECT_GE(results, kSessionCredits);
    EXPECT_EQ(response.error().number(), static_cast<int32_t>(ErrorNumber::kNoBufferSpace));
    EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    writer.join();
  }
  std::cout << absl::StrFormat("peak %d MiB above %d MiB, of %d MiB\n", (peak - before) / kMiB,
                               before / kMiB, kBoundBytes / kMiB);
  EXPECT_GT(peak, before);
  EXPECT_LE(peak, before + kBoundBytes);
}

INSTANTIATE_TEST_SUITE_P(, UnreadRepliesTest,
                         testing::Values(Way{false, 0}, Way{false, 1}, Way{true, 0}, Way{true, 1}),
                         [](const auto& instance) {
                           return StrCat(instance.param.through_router ? "Router" : "Volume",
                                         "Depth", instance.param.sync_depth);
                         });

}  // namespace
}  // namespace quire
