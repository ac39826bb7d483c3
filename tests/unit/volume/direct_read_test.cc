// Reads that run on the caller's thread at once (Session::TryRead): what they give and count is
// that of a batch of one, and where anything stands in the way nothing is done.
#include "tests/unit/volume/access_fixture.h"
#include "tests/unit/volume/gated_fixture.h"

namespace quire::test {
namespace {

class DirectReadTest : public Gated<AccessTest> {
 protected:
  // "0 record", "11", or "-" where it was left to Submit.
  static std::string Try(OpenUser& user, const std::string& key) {
    std::string record = "of before";
    const std::optional<absl::Status> status = user.session().TryRead(key, &record);
    if (!status.has_value()) return "-";
    return status->ok() ? StrCat("0 ", record) : StrCat(Number(*status));
  }
};

TEST_F(DirectReadTest, R_C2_CountsAsABatchOfOne) {
  Fill(200);
  auto sent = User(1);
  auto direct = User(2);
  for (const int key : {10, 1230, 2000, 15}) {
    EXPECT_EQ(Try(*direct, SmallKey(key)), sent->Do(Keyed(OperationKind::kRead, SmallKey(key))));
  }
  EXPECT_EQ(Try(*direct, "12"), "21");
  EXPECT_EQ(sent->Do(Keyed(OperationKind::kRead, "12")), "21");
  for (const char* counter : {"REQUESTS", "DRIVER-INPUT-CALLS", "CACHE-HITS"}) {
    EXPECT_GT(CounterOf(2, counter), 0) << counter;
    EXPECT_EQ(CounterOf(2, counter), CounterOf(1, counter)) << counter;
  }
}

TEST_F(DirectReadTest, R_S4_LeavesALockedFileAlone) {
  Fill(3);
  auto holder = User(1);
  auto reader = User(2);
  EXPECT_EQ(holder->Lock(SmallKey(10)), "0");
  const int64_t requests = CounterOf(2, "REQUESTS");
  EXPECT_EQ(Try(*reader, SmallKey(20)), "-");
  EXPECT_EQ(CounterOf(2, "REQUESTS"), requests);
  EXPECT_EQ(holder->Do(Keyed(OperationKind::kUnlockRecord, SmallKey(10))), "0");
  EXPECT_EQ(Try(*reader, SmallKey(20)), "0 " + SmallRecord(20));
}

TEST_F(DirectReadTest, ObeysTheAccessOfItsOpen) {
  Fill(1);
  OpenRequest request;
  request.access = AccessMode::kWrite;
  auto writer = User(1, request);
  EXPECT_EQ(Try(*writer, SmallKey(10)), writer->Do(Keyed(OperationKind::kRead, SmallKey(10))));
}

TEST_F(DirectReadTest, R_D7_DoesNotShowWhatIsNotDurable) {
  MustCreate(kFile, /*buffered=*/false);
  auto writer = User(1);
  auto reader = User(2);
  gate_->Close();
  const std::string record = SmallRecord(10);
  writer->Start(WithRecord(OperationKind::kWrite, record));
  gate_->AwaitArrival();
  EXPECT_EQ(Try(*reader, SmallKey(10)), "-");
  gate_->Open();
  EXPECT_EQ(reader->Do(Keyed(OperationKind::kRead, SmallKey(10))), "0 " + SmallRecord(10));
  EXPECT_EQ(Try(*reader, SmallKey(10)), "0 " + SmallRecord(10));
}

TEST_F(DirectReadTest, ALatchedVolumeAnswersOnlyWhatIsSubmitted) {
  Fill(1);
  auto user = User(1);
  volume_->Crash();
  EXPECT_EQ(Try(*user, SmallKey(10)), "-");
}

}  // namespace
}  // namespace quire::test
