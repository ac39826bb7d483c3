// File and the session below it: one open over all partitions (R-S1), which number when (R-S3),
// order (R-S5), credits.
#include "client/filesystem/open_file.h"

#include <thread>

#include "absl/time/clock.h"
#include "client/filesystem/partitioned_session.h"
#include "quire/mutex.h"
#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;

absl::Status Broken() {
  return MakeError(ErrorNumber::kPathDown, "connection lost", Retry::kOutcomeUnknown);
}

TEST(OpenFile, RoutesRecordsByKey) {
  Cluster cluster(3);
  cluster.Fill({"A001", "AZZZ", "B000", "C000", "Z999"});
  EXPECT_THAT(cluster.volume(1).Keys(kFile), ElementsAre("A001", "AZZZ"));
  EXPECT_THAT(cluster.volume(2).Keys(kFile), ElementsAre("B000"));
  EXPECT_THAT(cluster.volume(3).Keys(kFile), ElementsAre("C000", "Z999"));
  const std::unique_ptr<File> file = cluster.Open();
  EXPECT_EQ(*file->Read("B000"), Record("B000"));
  EXPECT_TRUE(file->Update(Record("B000", "new")).ok());
  EXPECT_EQ(*file->Read("B000"), Record("B000", "new"));
  EXPECT_EQ(Number(file->Write(Record("C000"))), 10);
  EXPECT_EQ(Number(file->Write("-")), 21);
  EXPECT_TRUE(file->Delete("C000").ok());
  EXPECT_EQ(Number(file->Delete("C000")), 11);
  EXPECT_EQ(Number(file->Update(Record("C000"))), 11);
}

TEST(OpenFile, R_S6_MissingKeys) {
  Cluster cluster(3);
  cluster.Fill({"B001"});
  const std::unique_ptr<File> file = cluster.Open();
  EXPECT_EQ(Number(file->Read("A001")), 11);
  EXPECT_EQ(Number(file->Read("A", ReadMode::kGeneric)), 1);
  EXPECT_EQ(Number(file->Read("C", ReadMode::kApproximate)), 1);
  EXPECT_EQ(Number(file->Read("A", ReadMode::kApproximate, true)), 1);
}

TEST(OpenFile, ReadsRunOverBorders) {
  Cluster cluster(4);
  cluster.Fill({"A001", "D001"});
  const std::unique_ptr<File> file = cluster.Open();
  EXPECT_EQ(*file->Read("A002", ReadMode::kApproximate), Record("D001"));
  EXPECT_EQ(*file->Read("C999", ReadMode::kApproximate, true), Record("A001"));
  EXPECT_EQ(*file->Read("", ReadMode::kGeneric, true), Record("D001"));
}

TEST(OpenFile, R_S1_OneIdAtEveryVolumeAndClosedAtAll) {
  Cluster cluster(3);
  cluster.CreateParts();
  std::unique_ptr<File> file = cluster.Open();
  EXPECT_NE(file->open_id(), 0u);
  const uint64_t create_id = file->description().primary.create_id;
  for (uint32_t i = 1; i <= 3; ++i) {
    const OpenRequest request = cluster.volume(i).opens().at(0);
    EXPECT_EQ(request.file.open_id, file->open_id());
    EXPECT_EQ(request.file.create_id, i == 1 ? 0 : create_id);
    EXPECT_EQ(request.file.client_name, "test");
    EXPECT_EQ(cluster.volume(i).sessions(), 1u);
  }
  ASSERT_EQ(file->description().secondaries.size(), 2u);
  EXPECT_EQ(file->description().secondaries[1]->name.volume, "$DATA03");
  EXPECT_TRUE(file->Close().ok());
  EXPECT_TRUE(file->Close().ok());
  for (uint32_t i = 1; i <= 3; ++i) EXPECT_EQ(cluster.volume(i).sessions(), 0u);
  EXPECT_EQ(Number(file->Write(Record("A001"))), 16);
  EXPECT_EQ(Number(file->Wait()), 16);
}

TEST(OpenFile, R_S3_NewOpenWithThePrimaryDownIs66) {
  Cluster cluster(2);
  cluster.CreateParts();
  cluster.volume(1).SetDown(true);
  EXPECT_EQ(Number(cluster.files().Open(PartsName(), {})), 66);
  EXPECT_EQ(Number(cluster.files().Open("$DATA07.SHOP.PARTS")), 14);
  EXPECT_EQ(Number(cluster.files().Open("$DATA02.SHOP.OTHER")), 11);
  EXPECT_EQ(Number(cluster.files().Open("bad..name")), 13);
}

TEST(OpenFile, R_S3_PartitionThatDidNotOpenIsWarning3AndThen72) {
  Cluster cluster(3);
  cluster.Fill({"A001", "B001", "C001"});
  cluster.volume(2).SetDown(true);
  const std::unique_ptr<File> file = cluster.Open();
  EXPECT_EQ(file->open_warning(), ErrorNumber::kPartitionFailure);
  EXPECT_EQ(Number(file->Read("B001")), 72);
  EXPECT_EQ(Number(file->Write(Record("B002"))), 72);
  EXPECT_TRUE(file->Read("A001").ok());
  EXPECT_TRUE(file->Read("C001").ok());
  // A read that has to pass it stops there.
  EXPECT_EQ(Number(file->Read("A002", ReadMode::kApproximate)), 72);
  // So does a scan, though the volume is up again: this open does not have it.
  cluster.volume(2).SetDown(false);
  const std::unique_ptr<Scanner> scanner = file->Scan({});
  EXPECT_EQ(*scanner->Next(), Record("A001"));
  const absl::Status end = scanner->Next().status();
  EXPECT_EQ(Number(end), 72);
  EXPECT_THAT(std::string(end.message()), ::testing::HasSubstr("A001"));
}

TEST(OpenFile, R_S3_VolumeLostAfterOpenIs201Then66) {
  Cluster cluster(3);
  cluster.Fill({"A001", "B001"});
  const std::unique_ptr<File> file = cluster.Open();
  cluster.volume(2).Hold();
  absl::Status lost;
  file->WriteNowait(Record("B002"),
                    [&](const absl::Status& status, std::string_view) { lost = status; });
  file->Flush();
  cluster.volume(2).SetDown(true);
  cluster.volume(2).BreakSessions(Broken());
  EXPECT_EQ(Number(lost), 201);
  EXPECT_EQ(RetryOf(lost), Retry::kOutcomeUnknown);
  EXPECT_EQ(Number(file->Read("B001")), 66);
  EXPECT_TRUE(file->Read("A001").ok());
  EXPECT_TRUE(file->Close().ok());
}

TEST(OpenFile, R_S3_PrimaryLostStandingOpensGoOn) {
  Cluster cluster(2);
  cluster.Fill({"A001", "B001"});
  const std::unique_ptr<File> file = cluster.Open();
  cluster.volume(1).SetDown(true);
  cluster.volume(1).BreakSessions(Broken());
  EXPECT_TRUE(file->Read("B001").ok());
  EXPECT_EQ(Number(file->Read("A001")), 66);
  EXPECT_EQ(Number(cluster.files().Open(PartsName(), {})), 66);
}

TEST(OpenFile, R_S3_ReasonOfTheVolumeIsPassedOn) {
  Cluster cluster(2);
  cluster.Fill({"B001"});
  const std::unique_ptr<File> file = cluster.Open();
  cluster.volume(2).BreakSessions(MakeError(ErrorNumber::kReopen, "expired", Retry::kReopen));
  EXPECT_EQ(Number(file->Read("B001")), 60);
}

TEST(OpenFile, R_S5_CompletionsOfOnePartitionComeInOrder) {
  Cluster cluster(3);
  cluster.CreateParts();
  FileOpenOptions options;
  options.batch_operations = 3;
  const std::unique_ptr<File> file = cluster.Open(options);
  std::vector<std::string> done;
  cluster.volume(1).Hold();
  for (const std::string key : {"A001", "B001", "A002", "B002", "A003", "B003", "C001"}) {
    file->WriteNowait(Record(key), [&done, key](const absl::Status& status, std::string_view) {
      EXPECT_TRUE(status.ok());
      done.push_back(key);
    });
  }
  EXPECT_EQ(cluster.volume(1).batches(), 1u);  // three operations in one message
  EXPECT_EQ(cluster.volume(3).batches(), 0u);  // not full yet
  file->Flush();
  // $DATA02 has executed, while $DATA01 is still at it.
  EXPECT_THAT(cluster.volume(2).Keys(kFile), ElementsAre("B001", "B002", "B003"));
  cluster.volume(1).Release();
  EXPECT_TRUE(file->Wait().ok());
  EXPECT_THAT(done, ElementsAre("A001", "A002", "A003", "B001", "B002", "B003", "C001"));
}

TEST(OpenFile, BlockingCallComesBehindCollectedOnes) {
  Cluster cluster(2);
  cluster.CreateParts();
  FileOpenOptions options;
  options.batch_operations = 50;
  const std::unique_ptr<File> file = cluster.Open(options);
  int written = 0;
  for (const char* key : {"A001", "B001"}) {
    file->WriteNowait(Record(key), [&](const absl::Status&, std::string_view) { ++written; });
  }
  EXPECT_EQ(cluster.volume(1).batches() + cluster.volume(2).batches(), 0u);
  EXPECT_TRUE(file->Read("A001").ok());
  EXPECT_EQ(written, 2);
  file->WriteNowait(Record("B002"), [](const absl::Status&, std::string_view) {});
  EXPECT_EQ(*file->Read("B001~", ReadMode::kApproximate), Record("B002"));
  file->WriteNowait(Record("B003"), [](const absl::Status&, std::string_view) {});
  const std::unique_ptr<Scanner> scanner = file->Scan({});
  for (const char* key : {"A001", "B001", "B002", "B003"}) EXPECT_EQ(*scanner->Next(), Record(key));
}

TEST(OpenFile, NowaitReadsGetTheirRecords) {
  Cluster cluster(3);
  cluster.Fill({"A001", "B001", "C001"});
  FileOpenOptions options;
  options.batch_operations = 10;
  const std::unique_ptr<File> file = cluster.Open(options);
  std::vector<std::string> found;
  for (const char* key : {"C001", "A001", "B009", "B001"}) {
    file->ReadNowait(key, [&](const absl::Status& status, std::string_view record) {
      found.push_back(status.ok() ? std::string(record) : StrCat(Number(status)));
    });
  }
  file->DeleteNowait("A001", [](const absl::Status& s, std::string_view) { EXPECT_TRUE(s.ok()); });
  EXPECT_TRUE(file->Wait().ok());
  EXPECT_THAT(
      found, ::testing::UnorderedElementsAre(Record("C001"), Record("A001"), "11", Record("B001")));
  EXPECT_TRUE(cluster.volume(1).Keys(kFile).empty());
}

TEST(OpenFile, CreditsBoundWhatIsUnderWay) {
  Cluster cluster(2);
  cluster.volume(1).credits = 4;
  cluster.CreateParts();
  cluster.UseThreads();
  const std::unique_ptr<File> file = cluster.Open();
  int done = 0;
  for (int i = 0; i < 500; ++i) {
    file->WriteNowait(Record(StrCat(i % 2 == 0 ? "A" : "B", 100 + i)),
                      [&](const absl::Status& status, std::string_view) {
                        EXPECT_TRUE(status.ok()) << status;
                        ++done;
                      });
  }
  EXPECT_TRUE(file->Wait().ok());
  EXPECT_EQ(done, 500);
  EXPECT_LE(cluster.volume(1).highest_outstanding(), 4u);
  EXPECT_LE(cluster.volume(2).highest_outstanding(), 4u);
}

TEST(OpenFile, FullBatchLeavesBeforeItWouldBeTooLarge) {
  Cluster cluster(1);
  FileAttributes attributes = PartsAttributes(1);
  attributes.record_bytes = 4000;
  ASSERT_TRUE(cluster.files().Create(PartsName(), attributes).ok());
  FileOpenOptions options;
  options.batch_operations = 1000;  // the volume takes 64, and 64 KiB
  const std::unique_ptr<File> file = cluster.Open(options);
  for (int i = 0; i < 64; ++i) {
    file->WriteNowait(Record(StrCat("A", 100 + i), std::string(3000, 'x')),
                      [](const absl::Status& s, std::string_view) { EXPECT_TRUE(s.ok()); });
  }
  EXPECT_TRUE(file->Wait().ok());
  EXPECT_EQ(cluster.volume(1).batches(), 4u);  // 21 records fit
}

// ---- The session itself ---------------------------------------------------------------------

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
