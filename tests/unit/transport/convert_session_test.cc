#include "client/transport/convert_session.h"

#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

OpenState RandomState(TestRandom& random) {
  OpenState state;
  state.lock_mode = static_cast<uint32_t>(random.Below(8));
  state.position.key = std::string(random.Below(20), static_cast<char>(random.Below(256)));
  state.position.next = random.OneIn(2);
  for (uint64_t i = 0; i < random.Below(5); ++i) {
    state.partitions.push_back({random.Below(1000), static_cast<uint32_t>(random.Below(9))});
  }
  return state;
}

TEST(ConvertSessionTest, OpenRoundTripsAndSyncDepthIsBounded) {
  OpenRequest open;
  open.file.name = FileName{"\\NODE", "$DATA01", "SUB", "FILE"};
  open.file.open_id = 5;
  open.file.create_id = 6;
  open.file.client_name = "bench";
  open.access = AccessMode::kRead;
  open.exclusion = Exclusion::kProtected;
  open.sync_depth = 0;
  v1::Open message;
  ToProto(open, &message);
  const absl::StatusOr<OpenRequest> received = FromProto(message);
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(received->file.name, open.file.name);
  EXPECT_EQ(received->file.open_id, 5u);
  EXPECT_EQ(received->file.create_id, 6u);
  EXPECT_EQ(received->access, AccessMode::kRead);
  EXPECT_EQ(received->exclusion, Exclusion::kProtected);
  EXPECT_EQ(received->sync_depth, 0u);
  message.clear_sync_depth();
  EXPECT_EQ(FromProto(message)->sync_depth, 1u);
  message.set_sync_depth(16);
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
  message.set_sync_depth(1);
  message.mutable_file()->set_client_name(std::string(65, 'n'));
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kIllegalCount);
}

TEST(ConvertSessionTest, RS1ResumeAndLockModeRoundTrip) {
  TestRandom random;
  for (int round = 0; round < 100; ++round) {
    OpenRequest open;
    open.file.name = FileName{"", "$DATA01", "SUB", "FILE"};
    open.file.client_id = random.Below(1000);
    for (const uint32_t mode : {0u, 1u, 2u, 3u, 6u, 7u}) {
      open.lock_mode = mode;
      open.resume = OpenResume{RandomState(random), random.Below(1000)};
      v1::Open message;
      ToProto(open, &message);
      const absl::StatusOr<OpenRequest> received = FromProto(message);
      ASSERT_TRUE(received.ok()) << received.status();
      EXPECT_EQ(received->file.client_id, open.file.client_id);
      EXPECT_EQ(received->lock_mode, mode);
      ASSERT_TRUE(received->resume.has_value());
      EXPECT_EQ(received->resume->state, open.resume->state);
      EXPECT_EQ(received->resume->acked_through, open.resume->acked_through);
    }
  }
}

// R-S1: a resume from before the first answer has no token; bytes that are none are 22.
TEST(ConvertSessionTest, RS1TokensAreChecked) {
  OpenRequest open;
  open.file.name = FileName{"", "$DATA01", "SUB", "FILE"};
  v1::Open message;
  ToProto(open, &message);
  EXPECT_FALSE(FromProto(message)->resume.has_value());
  message.mutable_resume();
  EXPECT_EQ(FromProto(message)->resume->state, OpenState());
  message.mutable_resume()->set_token("no token");
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
  v1::Opened opened;
  opened.set_token("no token");
  EXPECT_EQ(NumberOf(FromProto(opened).status()), ErrorNumber::kBadParameter);
}

TEST(ConvertSessionTest, RA4UnknownEnumeratorsAre22) {
  OpenRequest open;
  open.file.name = FileName{"", "$DATA01", "SUB", "FILE"};
  v1::Open message;
  ToProto(open, &message);
  message.set_access(static_cast<v1::AccessMode>(4));
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
  message.set_access(v1::ACCESS_MODE_READ);
  message.set_exclusion(static_cast<v1::Exclusion>(4));
  EXPECT_EQ(NumberOf(FromProto(message).status()), ErrorNumber::kBadParameter);
}

TEST(ConvertSessionTest, OpenedRoundTrips) {
  TestRandom random;
  Opened opened;
  opened.open_id = 1;
  opened.lease_ms = 2;
  opened.credits = 3;
  opened.max_batch_bytes = 4;
  opened.max_batch_operations = 5;
  opened.epoch = 6;
  opened.info.record_count = 7;
  opened.warning = ErrorNumber::kPartitionFailure;
  opened.state = RandomState(random);
  opened.answers_kept = true;
  v1::Opened message;
  ToProto(opened, &message);
  const absl::StatusOr<Opened> received = FromProto(message);
  ASSERT_TRUE(received.ok());
  EXPECT_EQ(received->lease_ms, 2u);
  EXPECT_EQ(received->max_batch_operations, 5u);
  EXPECT_EQ(received->epoch, 6u);
  EXPECT_EQ(received->info.record_count, 7u);
  EXPECT_EQ(received->warning, ErrorNumber::kPartitionFailure);
  EXPECT_EQ(received->state, opened.state);
  EXPECT_TRUE(received->answers_kept);
}

}  // namespace
}  // namespace quire
