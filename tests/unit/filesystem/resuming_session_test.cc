// Opens outlive their streams (R-S1), and which number comes when nothing helps (R-S2, R-S3).
#include "client/filesystem/resuming_session.h"

#include "tests/unit/filesystem/resuming_fixture.h"

namespace quire::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// ---- Which number when ----------------------------------------------------------------------

TEST_F(ResumingSessionTest, R_S3_RestartWithoutLocksIsNotSeenByReaders) {
  Open();
  for (const char* key : {"A001", "A002", "A003"}) Write(key);
  SubmitAll({SetTo("A002"), ByKey(OperationKind::kReadNext, "")});
  volume_->Hold();
  SubmitAll({ByKey(OperationKind::kReadNext, "")});
  volume_->Restart();
  volume_->Release();
  timer_->Advance(0);
  EXPECT_THAT(user_->Answers(), ElementsAre("0", "0", "0", "0", Record("A002"), Record("A003")));
  EXPECT_FALSE(volume_->opens().back().resume->state.partitions.empty());
  Write("A004");
  EXPECT_EQ(user_->Answers().back(), "0");
}

TEST_F(ResumingSessionTest, R_S3_RestartWithLocksIs60) {
  Open();
  Write("A001");
  Submit(ByKey(OperationKind::kLockRecord, "A001"));
  volume_->Hold();
  Write("A002");
  Read("A001");
  volume_->Restart();
  timer_->Advance(0);
  EXPECT_THAT(user_->Answers(), ElementsAre("0", "0", "201", "60"));
  ASSERT_EQ(user_->closed.size(), 1u);
  EXPECT_EQ(Number(user_->closed[0]), 60);
  Write("A003");  // ignored: the session has ended
  timer_->Advance(30 * kSecond);
  EXPECT_EQ(user_->results.size(), 4u);
}

TEST_F(ResumingSessionTest, R_S2_MutationsWithoutAnswersAfterARestartAre201) {
  Open();
  volume_->Hold();
  Write("A001");
  const std::string record = Record("A009");
  SubmitAll({ByKey(OperationKind::kRead, "A001"), WithRecord(OperationKind::kWrite, record)});
  Read("A001");
  volume_->Restart();
  volume_->Release();
  timer_->Advance(0);
  EXPECT_THAT(user_->Answers(), ElementsAre("201", "201", "201", "11"));
  EXPECT_TRUE(volume_->executions().empty());
}

TEST_F(ResumingSessionTest, R_S2_DepthZeroSendsNothingTwiceAndGoesOn) {
  Open(/*sync_depth=*/0);
  volume_->credits = 8;
  volume_->Hold();
  Write("A001");
  Read("A001");
  volume_->BreakSessions(Broken());
  EXPECT_THAT(user_->Answers(), ElementsAre("201", "201"));
  Write("A002");  // waits for the next stream
  volume_->Release();
  timer_->Advance(0);
  EXPECT_THAT(user_->Answers(), ElementsAre("201", "201", "0"));
  EXPECT_THAT(volume_->Keys(kFile), ElementsAre("A002"));
}

TEST_F(ResumingSessionTest, R_S3_RetryTimeOverIs201Or66AndAVolumeThatComesBackIsUsedAgain) {
  Open();
  Write("A001");
  volume_->Hold();
  Write("A002");
  Read("A001");
  volume_->SetDown(true);
  volume_->BreakSessions(Broken());
  Write("A003");
  timer_->Advance(5 * kSecond - 1);
  EXPECT_EQ(user_->results.size(), 1u);
  timer_->Advance(1);
  EXPECT_THAT(user_->Answers(), ElementsAre("0", "201", "66", "66"));
  EXPECT_EQ(RetryOf(user_->results[1].results[0].status), Retry::kOutcomeUnknown);
  EXPECT_EQ(RetryOf(user_->results[2].results[0].status), Retry::kSafe);
  EXPECT_TRUE(user_->closed.empty());

  // One attempt each.
  const size_t opens = volume_->opens().size();
  Read("A001");
  timer_->Advance(0);
  EXPECT_EQ(user_->Answers().back(), "66");
  timer_->Advance(60 * kSecond);
  EXPECT_EQ(volume_->opens().size(), opens + 1);

  volume_->SetDown(false);
  volume_->Release();
  Write("A003");
  timer_->Advance(0);
  EXPECT_EQ(user_->Answers().back(), "0");
  EXPECT_EQ(user_->openings, 1);
}

TEST_F(ResumingSessionTest, RetryTimeIsNeverLongerThanTheLease) {
  Open(1, absl::Hours(1));
  volume_->SetDown(true);
  volume_->BreakSessions(Broken());
  Write("A001");
  timer_->Advance(30 * kSecond);  // the fake's lease
  EXPECT_THAT(user_->Answers(), ElementsAre("66"));
}

TEST_F(ResumingSessionTest, PausesGrowFromNoneToHalfASecond) {
  EXPECT_EQ(RetryPauseMicros(0), 0);
  for (int round = 0; round < 50; ++round) {
    EXPECT_THAT(RetryPauseMicros(1), ::testing::AllOf(::testing::Gt(5'000), ::testing::Le(10'000)));
    EXPECT_LE(RetryPauseMicros(3), 40'000);
    EXPECT_THAT(RetryPauseMicros(40),
                ::testing::AllOf(::testing::Gt(250'000), ::testing::Le(500'000)));
  }
  Open();
  volume_->SetDown(true);
  volume_->BreakSessions(Broken());
  const size_t before = volume_->opens().size();
  timer_->Advance(0);
  EXPECT_EQ(volume_->opens().size(), before + 1);
  timer_->Advance(5 * kSecond);
  EXPECT_LT(volume_->opens().size(), before + 30);
  EXPECT_GT(volume_->opens().size(), before + 10);
}

TEST_F(ResumingSessionTest, BatchThatBreaksEveryStreamIsGivenUp) {
  volume_->on_batch = [] { return Cut::kLost; };
  Open();
  Write("A001");
  timer_->Advance(5 * kSecond);
  EXPECT_THAT(user_->Answers(), ElementsAre("201"));
  EXPECT_LT(volume_->opens().size(), 40u);
}

TEST_F(ResumingSessionTest, R_S3_ExpiredLeaseIs60AndClosedElsewhere16) {
  Open();
  volume_->Hold();
  Read("A001");
  volume_->BreakSessions(Broken());
  volume_->ExpireLeases();
  timer_->Advance(0);
  EXPECT_THAT(user_->Answers(), ElementsAre("60"));
  EXPECT_EQ(Number(user_->closed.at(0)), 60);
}

TEST_F(ResumingSessionTest, R_S5_PositionOfAnswered66sIsSaidAgain) {
  Open();
  for (const char* key : {"A001", "A002"}) Write(key);
  Submit(SetTo(""));
  // Executed, but the answer never comes: the caller is told 66, and the position did not move.
  volume_->on_batch = [] { return Cut::kAnswerLost; };
  Submit(ByKey(OperationKind::kReadNext, ""));
  volume_->SetDown(true);
  timer_->Advance(5 * kSecond);
  EXPECT_EQ(user_->Answers().back(), "66");
  volume_->SetDown(false);
  volume_->on_batch = nullptr;
  Submit(ByKey(OperationKind::kReadNext, ""));
  timer_->Advance(0);
  EXPECT_EQ(user_->Answers().back(), Record("A001"));
}

// A volume that was restarted does not know what reads found: repeated behind the deletion, READ
// gives the record after the one that was deleted.
TEST_F(ResumingSessionTest, R_S5_MutationWaitsForReadsAtThePosition) {
  volume_->keeps_reads = false;
  Open();
  for (const char* key : {"A001", "A002", "A003"}) Write(key);
  volume_->Hold();
  const size_t before = volume_->batches();
  Submit(ByKey(OperationKind::kReadNext, ""));
  Submit(ByKey(OperationKind::kReadNext, ""));
  Read("A001");
  EXPECT_EQ(volume_->batches(), before + 3);
  Submit(ByKey(OperationKind::kDeleteCurrent, ""));
  Submit(ByKey(OperationKind::kReadNext, ""));
  EXPECT_EQ(volume_->batches(), before + 3);
  volume_->BreakSessions(Broken());
  volume_->Release();
  timer_->Advance(0);
  EXPECT_THAT(user_->Answers(), ElementsAre("0", "0", "0", Record("A001"), Record("A002"),
                                            Record("A001"), "0", Record("A003")));
  EXPECT_THAT(volume_->Keys(kFile), ElementsAre("A001", "A003"));
}

TEST_F(ResumingSessionTest, AckedThroughIsTheUsers) {
  Open();
  Write("A001");
  acked_through_ = 1;
  Write("A002");
  volume_->BreakSessions(Broken());
  timer_->Advance(0);
  ASSERT_TRUE(volume_->opens().back().resume);
  EXPECT_EQ(volume_->opens().back().resume->acked_through, 1u);
  EXPECT_EQ(volume_->opens().back().file.open_id, user_->opened->open_id);
}

// ---- Cancel, Close, Detach, credits -----------------------------------------------------------

TEST_F(ResumingSessionTest, CancelTakesBackWhatWasNotSent) {
  Open();
  volume_->SetDown(true);
  volume_->BreakSessions(Broken());
  Write("A001");
  const std::string record = Record("A002");
  const std::string other = Record("A003");
  SubmitAll({WithRecord(OperationKind::kWrite, record), WithRecord(OperationKind::kWrite, other)});
  session_->Cancel(1);
  EXPECT_THAT(user_->Answers(), ElementsAre("40"));
  session_->Cancel(2);
  session_->Cancel(4711);
  volume_->SetDown(false);
  timer_->Advance(kSecond);
  EXPECT_THAT(user_->Answers(), ElementsAre("40", "40", "0"));
  EXPECT_THAT(volume_->Keys(kFile), ElementsAre("A003"));
  EXPECT_EQ(volume_->executions().at(3), 1);
  EXPECT_THAT(volume_->cancels(), ElementsAre());
}

TEST_F(ResumingSessionTest, CancelOfWhatWasSentIsPassedOnAndRepeated) {
  Open();
  volume_->Hold();
  Write("A001");
  session_->Cancel(1);
  EXPECT_THAT(volume_->cancels(), ElementsAre(1));
  volume_->BreakSessions(Broken());
  timer_->Advance(0);
  EXPECT_THAT(volume_->cancels(), ElementsAre(1, 1));
}

TEST_F(ResumingSessionTest, CloseComesBehindWhatHadToBeSentAgain) {
  Open();
  volume_->Hold();
  Write("A001");
  session_->Close();
  volume_->BreakSessions(Broken());
  volume_->Release();
  timer_->Advance(0);
  EXPECT_THAT(user_->Answers(), ElementsAre("0"));
  EXPECT_THAT(user_->closed, ElementsAre(absl::OkStatus()));
  EXPECT_EQ(volume_->sessions(), 0u);
}

TEST_F(ResumingSessionTest, CloseOfAnOpenThatCannotBeReachedIsOk) {
  Open();
  volume_->SetDown(true);
  volume_->BreakSessions(Broken());
  session_->Close();
  timer_->Advance(5 * kSecond);
  EXPECT_THAT(user_->closed, ElementsAre(absl::OkStatus()));
}

TEST_F(ResumingSessionTest, DetachLeavesTheOpenToBeResumed) {
  Open();
  Write("A001");
  session_->Detach();
  EXPECT_TRUE(volume_->detached());
  ASSERT_EQ(user_->closed.size(), 1u);
  EXPECT_EQ(Number(user_->closed[0]), 66);
  EXPECT_EQ(RetryOf(user_->closed[0]), Retry::kSafe);
  timer_->Advance(60 * kSecond);
  EXPECT_EQ(volume_->opens().size(), 1u);

  OpenRequest again;
  again.file = volume_->opens()[0].file;
  again.resume = OpenResume{user_->state, 1};
  auto user = std::make_shared<SessionUser>();
  session_ = OpenResuming(volume_, again, user, ResumePolicy{absl::Seconds(5), timer_});
  ASSERT_TRUE(user->opened.ok());
  EXPECT_TRUE(user->opened->answers_kept);
}

TEST_F(ResumingSessionTest, FirstOpenIsNotRepeated) {
  volume_->SetDown(true);
  Open();
  EXPECT_EQ(Number(user_->opened), 66);
  ASSERT_EQ(user_->closed.size(), 1u);
  timer_->Advance(60 * kSecond);
  EXPECT_EQ(volume_->opens().size(), 1u);
}

TEST_F(ResumingSessionTest, CreditsHoldForTheUserAndForEveryStream) {
  volume_->credits = 4;
  Open();
  volume_->Hold();
  for (const char* key : {"A001", "A002", "A003", "A004"}) Write(key);
  volume_->credits = 1;
  volume_->BreakSessions(Broken());
  volume_->Release();
  timer_->Advance(0);
  EXPECT_THAT(user_->Answers(), Each("0"));
  EXPECT_EQ(user_->results.size(), 4u);

  volume_->Hold();
  for (int i = 0; i < 5; ++i) Write(StrCat("B00", i));
  volume_->Release();
  EXPECT_EQ(user_->results.size(), 8u);
  EXPECT_EQ(Number(user_->closed.at(0)), 31);
}

TEST_F(ResumingSessionTest, DestroyedSessionIsSilentAndEndsItsStream) {
  Open();
  volume_->Hold();
  Write("A001");
  session_.reset();
  EXPECT_EQ(volume_->sessions(), 0u);
  volume_->Release();
  timer_->Advance(60 * kSecond);
  EXPECT_TRUE(user_->results.empty());
  EXPECT_TRUE(user_->closed.empty());
  EXPECT_EQ(volume_->opens().size(), 1u);
}

}  // namespace
}  // namespace quire::testing
