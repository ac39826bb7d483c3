// One open over all partitions as a session (R-S1): order (R-S5), credits, its end.
#include "client/filesystem/partitioned_session.h"

#include "quire/mutex.h"
#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;

class RecordingEvents : public SessionEvents {
 public:
  void OnOpened(absl::StatusOr<Opened> answer) override { opened = std::move(answer); }
  void OnResults(BatchResult result) override { results.push_back(std::move(result)); }
  void OnClosed(absl::Status status) override { closed.push_back(std::move(status)); }

  absl::StatusOr<Opened> opened = absl::UnknownError("not yet");
  std::vector<BatchResult> results;
  std::vector<absl::Status> closed;
};

OperationBatch WriteBatch(const std::vector<std::string>& keys, uint64_t first_sequence) {
  OperationBatch batch;
  batch.first_sequence = first_sequence;
  for (const std::string& key : keys) {
    const std::string record = Record(key);
    Operation write;
    write.kind = OperationKind::kWrite;
    write.record = record;
    batch.Add(write);
  }
  return batch;
}

class PartitionedSessionTest : public ::testing::Test {
 protected:
  PartitionedSessionTest() : cluster_(3) {
    cluster_.CreateParts();
    router_ = MakeRouterService(cluster_.services());
    OpenRequest request;
    request.file.name = PartsName();
    session_ = router_->OpenSession(request, events_);
  }

  Cluster cluster_;
  std::shared_ptr<Service> router_;
  std::shared_ptr<RecordingEvents> events_ = std::make_shared<RecordingEvents>();
  std::unique_ptr<Session> session_;
};

TEST_F(PartitionedSessionTest, R_S5_OneAnswerPerBatchInOrderWithNumbers) {
  ASSERT_TRUE(events_->opened.ok()) << events_->opened.status();
  EXPECT_NE(events_->opened->open_id, 0u);
  cluster_.volume(1).Hold();
  session_->Submit(WriteBatch({"C001", "A001", "B001"}, 1));
  session_->Submit(WriteBatch({"B001", "B002"}, 4));
  EXPECT_TRUE(events_->results.empty());
  cluster_.volume(1).Release();
  ASSERT_EQ(events_->results.size(), 2u);
  EXPECT_EQ(events_->results[0].first_sequence, 1u);
  EXPECT_EQ(events_->results[0].results.size(), 3u);
  EXPECT_EQ(events_->results[1].first_sequence, 4u);
  EXPECT_EQ(Number(events_->results[1].results[0].status), 10);
  EXPECT_TRUE(events_->results[1].results[1].status.ok());
}

TEST_F(PartitionedSessionTest, CloseComesBehindWhatWasSubmitted) {
  cluster_.volume(2).Hold();
  session_->Submit(WriteBatch({"A001", "B001"}, 1));
  session_->Close();
  session_->Submit(WriteBatch({"A002"}, 3));  // too late: ignored
  EXPECT_TRUE(events_->closed.empty());
  cluster_.volume(2).Release();
  EXPECT_EQ(events_->results.size(), 1u);
  ASSERT_EQ(events_->closed.size(), 1u);
  EXPECT_TRUE(events_->closed[0].ok());
  EXPECT_THAT(cluster_.volume(1).Keys(kFile), ElementsAre("A001"));
}

TEST_F(PartitionedSessionTest, MoreBatchesThanCreditsCloseTheSessionWith31) {
  cluster_.volume(1).Hold();
  for (uint32_t i = 0; i <= events_->opened->credits; ++i) {
    session_->Submit(WriteBatch({StrCat("A00", i)}, 1 + i));
  }
  cluster_.volume(1).Release();
  EXPECT_EQ(events_->results.size(), events_->opened->credits);
  ASSERT_EQ(events_->closed.size(), 1u);
  EXPECT_EQ(Number(events_->closed[0]), 31);
}

TEST_F(PartitionedSessionTest, DestroyedSessionEndsTheOpenEverywhereAndIsSilent) {
  cluster_.volume(1).Hold();
  session_->Submit(WriteBatch({"A001"}, 1));
  session_.reset();
  for (uint32_t i = 1; i <= 3; ++i) EXPECT_EQ(cluster_.volume(i).sessions(), 0u);
  cluster_.volume(1).Release();
  EXPECT_TRUE(events_->results.empty());
  EXPECT_TRUE(events_->closed.empty());
}

TEST_F(PartitionedSessionTest, R_S2_EachPartitionHasItsOwnSequence) {
  session_->Submit(WriteBatch({"A001", "B001", "B002"}, 1));
  session_->Submit(WriteBatch({"B003"}, 4));
  ASSERT_EQ(events_->results.size(), 2u);
  EXPECT_EQ(events_->results[1].first_sequence, 4u);
  EXPECT_EQ(events_->results[1].epoch, 7u);  // of the one volume the batch went to
}

TEST(PartitionedSession, BatchesBeforeOpenedWait) {
  Cluster cluster(2);
  cluster.CreateParts();
  cluster.UseThreads();
  const std::shared_ptr<Service> router = MakeRouterService(cluster.services());
  class WaitingEvents : public RecordingEvents {
   public:
    void OnClosed(absl::Status status) override {
      RecordingEvents::OnClosed(std::move(status));
      ended.Notify();
    }
    Notification ended;
  };
  auto events = std::make_shared<WaitingEvents>();
  OpenRequest request;
  request.file.name = PartsName();
  const std::unique_ptr<Session> session = router->OpenSession(request, events);
  session->Submit(WriteBatch({"A001", "B001"}, 1));
  session->Close();
  events->ended.Wait();
  EXPECT_TRUE(events->opened.ok());
  ASSERT_EQ(events->results.size(), 1u);
  EXPECT_TRUE(events->results[0].results[1].status.ok());
}

TEST(PartitionedSession, FailedOpenIsFollowedByClosedOnly) {
  Cluster cluster(2);
  const std::shared_ptr<Service> router = MakeRouterService(cluster.services());
  auto events = std::make_shared<RecordingEvents>();
  OpenRequest request;
  request.file.name = PartsName();
  const std::unique_ptr<Session> session = router->OpenSession(request, events);
  EXPECT_EQ(Number(events->opened), 11);
  EXPECT_EQ(events->closed.size(), 1u);
  session->Submit(WriteBatch({"A001"}, 1));
  session->Close();
  EXPECT_TRUE(events->results.empty());
}

}  // namespace
}  // namespace quire::testing
