// The committer as a role (R-D7, R-D18): who writes the trail, that nobody has to wait for it who
// need not, and that every batch finds a writer.

#include <atomic>
#include <future>
#include <thread>

#include "tests/support/operations.h"
#include "tests/unit/volume/gated_fixture.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kThrough[] = "$DATA01.TEST.THRU";
constexpr char kBuffered[] = "$DATA01.TEST.BUF";

class CommitterTest : public Gated<VolumeTest> {
 protected:
  CommitterTest() {
    MustCreate(kThrough, false);
    MustCreate(kBuffered, true);
  }

  static OperationBatch WaitedFor(const std::string& record) {
    OperationBatch batch = OneWrite(record);
    batch.caller_waits = true;
    return batch;
  }
  // A single call by a caller that waits, or says that it does not.
  void Start(const std::string& record, bool caller_waits, Done<BatchResult> done) {
    UnaryRequest request;
    request.file = Ref(kThrough);
    request.operation = OneWrite(record);
    request.operation.caller_waits = caller_waits;
    volume_->Execute(std::move(request), std::move(done));
  }
  // Where the reply of a lone write runs.
  std::thread::id ReplyThread(int key, bool caller_waits) {
    std::promise<std::thread::id> answered;
    Start(SmallRecord(key), caller_waits, [&](absl::StatusOr<BatchResult> result) {
      EXPECT_TRUE(result.ok() && result->results.at(0).status.ok());
      answered.set_value(std::this_thread::get_id());
    });
    return answered.get_future().get();
  }
};

TEST_F(CommitterTest, R_D18_ALoneWriteIsMadeDurableByTheCallerThatWaits) {
  EXPECT_EQ(ReplyThread(1, /*caller_waits=*/true), std::this_thread::get_id());
  EXPECT_NE(ReplyThread(2, /*caller_waits=*/false), std::this_thread::get_id());
  EXPECT_EQ(ReplyThread(3, /*caller_waits=*/true), std::this_thread::get_id());
  volume_.CrashAndReopen();
  for (int key = 1; key <= 3; ++key) EXPECT_TRUE(Read(kThrough, SmallKey(key)).ok()) << key;
}

TEST_F(CommitterTest, R_D7_TheVolumeGoesOnWhileACallerWrites) {
  KeptSession session(volume_.volume(), OpenRequest{Ref(kThrough)});
  ASSERT_TRUE(session.opened().ok());
  const int64_t before = Snapshot().records[0].Value("TRAIL-BATCHES");
  gate_->Close();
  std::thread caller([&] { ReplyThread(1, /*caller_waits=*/true); });
  gate_->AwaitArrival();
  EXPECT_TRUE(Write(kBuffered, SmallRecord(1)).ok());
  EXPECT_TRUE(Read(kBuffered, SmallKey(1)).ok());
  // One that waits finds the committer's role taken: it is not held up in Submit.
  session.SubmitNowait(WaitedFor(SmallRecord(2)));
  for (int key = 3; key < 40; ++key) session.SubmitNowait(OneWrite(SmallRecord(key)));
  gate_->Open();
  caller.join();
  EXPECT_EQ(session.WaitForResults(38).size(), 38U);
  EXPECT_EQ(Snapshot().records[0].Value("TRAIL-BATCHES") - before, 2)
      << "the caller's, and one for all that came meanwhile";
}

TEST_F(CommitterTest, R_D18_EveryBatchFindsAWriter) {
  constexpr int kThreads = 4;
  constexpr int kWrites = 400;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([this, thread] {
      for (int i = 0; i < kWrites; ++i) ReplyThread(thread * kWrites + i, /*caller_waits=*/true);
    });
  }
  KeptSession session(volume_.volume(), OpenRequest{Ref(kThrough)});
  size_t sent = 0;
  for (int key = kThreads * kWrites; key < kThreads * kWrites + 2000; ++key) {
    OperationBatch batch = OneWrite(SmallRecord(key));
    batch.caller_waits = key % 3 == 0;  // and a caller that then does not wait
    session.SubmitNowait(std::move(batch));
    if (++sent % kSessionCredits == 0) session.WaitForResults(sent);
  }
  EXPECT_EQ(session.WaitForResults(sent).size(), sent);
  for (std::thread& thread : threads) thread.join();
  volume_.CrashAndReopen();
  EXPECT_EQ(Info(kThrough)->record_count, uint64_t{kThreads * kWrites} + 2000);
}

TEST_F(CommitterTest, R_D18_WhatIsSubmittedInsideAReplyDoesNotBlockIt) {
  // Each reply starts the next write; were they nested, the stack would not last.
  constexpr int kWrites = 5000;
  std::promise<void> done;
  std::function<void(int)> next = [&](int key) {
    if (key == kWrites) return done.set_value();
    Start(SmallRecord(key), /*caller_waits=*/true,
          [&next, key](absl::StatusOr<BatchResult> result) {
            ASSERT_TRUE(result.ok() && result->results.at(0).status.ok());
            next(key + 1);
          });
  };
  next(0);
  done.get_future().wait();
}

TEST_F(CommitterTest, R_D8_AWriteThatFailsUnderACallerLatchesAndAnswersAll) {
  KeptSession session(volume_.volume(), OpenRequest{Ref(kThrough)});
  ASSERT_TRUE(session.opened().ok());
  gate_->Close();
  volume_.medium->FailAtWrite(1, MakeError(ErrorNumber::kVolumeDown, "no such device"));
  absl::Status failed;
  std::thread caller([&] {
    Start(SmallRecord(1), /*caller_waits=*/true,
          [&](absl::StatusOr<BatchResult> result) { failed = result.status(); });
  });
  gate_->AwaitArrival();
  session.SubmitNowait(OneWrite(SmallRecord(2)));
  session.SubmitNowait(WaitedFor(SmallRecord(3)));
  gate_->Open();
  caller.join();
  EXPECT_EQ(Number(failed), 66);
  EXPECT_EQ(RetryOf(failed), Retry::kOutcomeUnknown);
  for (const BatchResult& result : session.WaitForResults(2)) {
    EXPECT_EQ(Number(result.results.at(0).status), 66);
  }
  EXPECT_FALSE(volume_->Health().ok());
  volume_.CrashAndReopen();
  EXPECT_EQ(Info(kThrough)->record_count, 0U);
}

TEST_F(CommitterTest, AStopWaitsForTheCallersWrite) {
  KeptSession session(volume_.volume(), OpenRequest{Ref(kThrough)});
  KeptSession other(volume_.volume(), OpenRequest{Ref(kBuffered)});
  ASSERT_TRUE(session.opened().ok());
  ASSERT_TRUE(other.opened().ok());
  gate_->Close();
  std::thread caller([&] { session.SubmitNowait(WaitedFor(SmallRecord(1))); });
  gate_->AwaitArrival();
  std::thread stopper([&] { volume_.Close(); });
  while (Number(other.Submit(OneRead(SmallKey(1))).results.at(0).status) != 66) {
    std::this_thread::yield();
  }
  gate_->Open();
  caller.join();
  stopper.join();
  EXPECT_TRUE(session.WaitForResults(1).at(0).results.at(0).status.ok());
  volume_.Open();
  EXPECT_TRUE(Read(kThrough, SmallKey(1)).ok());
}

TEST_F(CommitterTest, ACrashDuringTheCallersWriteKeepsWhatItAcknowledged) {
  gate_->Close();
  bool acknowledged = false;
  std::thread caller([&] {
    Start(SmallRecord(1), /*caller_waits=*/true,
          [&](absl::StatusOr<BatchResult> result) { acknowledged = result.ok(); });
  });
  gate_->AwaitArrival();
  std::thread killer([&] { volume_->Crash(); });
  while (volume_->Health().ok()) std::this_thread::yield();
  gate_->Open();
  caller.join();
  killer.join();
  volume_.CrashAndReopen();
  EXPECT_EQ(Read(kThrough, SmallKey(1)).ok(), acknowledged);
}

}  // namespace
}  // namespace quire::test
