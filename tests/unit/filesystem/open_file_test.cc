// File over the router: one open over all partitions (R-S1), which number when (R-S3), order
// (R-S5), credits.
#include "client/filesystem/open_file.h"

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

}  // namespace
}  // namespace quire::testing
