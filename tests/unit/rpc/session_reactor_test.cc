#include "server/rpc/session_reactor.h"

#include "quire/error.h"
#include "quire/limits.h"
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

// R-S1: a stream that breaks is no Close, wherever it breaks: the open lives on for its lease.
TEST_F(SessionTest, RS1BrokenStreamsAreNeverACloseOfTheOpen) {
  TestRandom random;
  const FileReference file = MakeFile();
  for (int round = 0; round < 200; ++round) {
    KeptSession session(*stub_, OpenOf(file));
    if (!random.OneIn(4)) {
      ASSERT_TRUE(session.opened().ok());
    }
    const uint64_t batches = random.Below(4);
    for (uint64_t i = 0; i < batches; ++i) session.SubmitNowait(OneRead("00000001"));
    session.WaitForResults(random.Below(batches + 1));
    session.Drop();
    EXPECT_FALSE(session.WaitClosed().ok());
  }
  EXPECT_TRUE(Eventually([&] { return fake_->open_sessions() == 0; }));
  EXPECT_EQ(fake_->closed_sessions(), 0);
}

TEST_F(SessionTest, RS1DetachEndsTheStreamBehindWhatWasSubmitted) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  for (uint64_t i = 0; i < 40; ++i) session.SubmitNowait(OneWrite(Key(i)));
  session.Detach();
  const absl::Status status = session.WaitClosed();
  EXPECT_EQ(NumberOf(status), ErrorNumber::kVolumeDown);
  EXPECT_EQ(RetryOf(status), Retry::kSafe);
  EXPECT_EQ(session.WaitForResults(40).size(), 40u);
  EXPECT_TRUE(Eventually([&] { return fake_->open_sessions() == 0; }));
  EXPECT_EQ(fake_->closed_sessions(), 0);
}

// A Cancel gets through while all credits are used up.
TEST_F(SessionTest, RS5CancelNeedsNoCredit) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  fake_->KeepRequests();
  fake_->HoldAnswers();
  for (uint64_t i = 0; i < kSessionCredits; ++i) session.SubmitNowait(OneWrite(Key(i)));
  session.Cancel(4711);
  EXPECT_TRUE(Eventually([&] { return fake_->requests().cancels.size() == 1; }));
  EXPECT_EQ(fake_->requests().cancels.at(0), 4711u);
  EXPECT_EQ(fake_->requests().batches.size(), kSessionCredits);
  fake_->ReleaseAnswers();
  EXPECT_EQ(session.WaitForResults(kSessionCredits).size(), kSessionCredits);
  EXPECT_TRUE(session.Close().ok());
}

// One batch beyond the credits: those before are answered, and the open is closed.
TEST_F(SessionTest, BatchBeyondTheCreditsIs31) {
  KeptSession session(*stub_, OpenOf(MakeFile()));
  ASSERT_TRUE(session.opened().ok());
  fake_->HoldAnswers();
  for (uint64_t i = 0; i <= kSessionCredits; ++i) session.SubmitNowait(OneWrite(Key(i)));
  ASSERT_TRUE(Eventually([&] { return fake_->closed_sessions() == 1; }));
  fake_->ReleaseAnswers();
  EXPECT_EQ(NumberOf(session.WaitClosed()), ErrorNumber::kNoBufferSpace);
  EXPECT_EQ(session.WaitForResults(kSessionCredits).size(), kSessionCredits);
  EXPECT_EQ(fake_->Records("$DATA01.SUB.FILE").size(), kSessionCredits);
}

TEST_F(SessionTest, ClientThatVanishesEndsTheStream) {
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

}  // namespace
}  // namespace quire::test
