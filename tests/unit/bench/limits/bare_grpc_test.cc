#include "client/bench/limits/bare_grpc.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <string>

#include "client/bench/limits/packed_records.h"
#include "quire/error.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace bench {
namespace {

constexpr char kProgram[] = QUIRE_BIN_DIR "/quire-bench";

class BareGrpcTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<BareGrpc>> bare = BareGrpc::Start(kProgram, directory_.path());
    ASSERT_TRUE(bare.ok()) << bare.status();
    bare_ = *std::move(bare);
  }

  const TestDirectory directory_;
  std::unique_ptr<BareGrpc> bare_;
};

TEST_F(BareGrpcTest, AnswersCallsOneAtATimeAndInFlight) {
  for (const BareCall call : {BareCall::kRead, BareCall::kWrite}) {
    for (const uint32_t in_flight : {1u, 8u, 64u}) {
      const absl::StatusOr<double> rate = bare_->Unary(call, in_flight, 200);
      ASSERT_TRUE(rate.ok()) << rate.status();
      EXPECT_GT(*rate, 0);
    }
  }
}

TEST_F(BareGrpcTest, MoreSlotsThanCallsEndsToo) {
  const absl::StatusOr<double> rate = bare_->Unary(BareCall::kRead, 64, 3);
  EXPECT_TRUE(rate.ok()) << rate.status();
}

// Both ends count the bytes, so a chunk lost or cut fails here.
TEST_F(BareGrpcTest, StreamsEveryRecordBothWays) {
  for (const uint64_t records :
       {uint64_t{1}, kRecordsOfChunk, kRecordsOfChunk + 1, 10 * kRecordsOfChunk + 7}) {
    const absl::StatusOr<double> out = bare_->StreamOut(records);
    EXPECT_TRUE(out.ok()) << out.status();
    const absl::StatusOr<double> in = bare_->StreamIn(records);
    EXPECT_TRUE(in.ok()) << in.status();
  }
}

TEST_F(BareGrpcTest, AServerThatIsGoneIsAnError) {
  ASSERT_EQ(kill(bare_->server_pid(), SIGKILL), 0);
  EXPECT_EQ(NumberOf(bare_->Unary(BareCall::kRead, 1, 1000000).status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(bare_->Unary(BareCall::kRead, 8, 1000000).status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(bare_->StreamOut(1000000).status()), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(bare_->StreamIn(1000000).status()), ErrorNumber::kVolumeDown);
}

TEST_F(BareGrpcTest, ItsServerEndsWithIt) {
  const pid_t server = bare_->server_pid();
  ASSERT_EQ(kill(server, 0), 0);
  bare_.reset();
  EXPECT_NE(kill(server, 0), 0);
}

TEST(BareGrpcStartTest, AProgramThatIsNotThereIsSaid) {
  const TestDirectory directory;
  EXPECT_EQ(NumberOf(BareGrpc::Start(directory.path() + "/none", directory.path()).status()),
            ErrorNumber::kNotFound);
}

}  // namespace
}  // namespace bench
}  // namespace quire
