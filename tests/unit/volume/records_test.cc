// Single record calls at a volume: outcomes and error numbers.

#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";

TEST_F(VolumeTest, WritesReadsUpdatesAndDeletes) {
  MustCreate(kFile, false);
  EXPECT_TRUE(Write(kFile, SmallRecord(1)).ok());
  EXPECT_EQ(*Read(kFile, SmallKey(1)), SmallRecord(1));
  EXPECT_TRUE(Update(kFile, SmallRecord(1, "other")).ok());
  EXPECT_EQ(*Read(kFile, SmallKey(1)), SmallRecord(1, "other"));
  EXPECT_TRUE(Delete(kFile, SmallKey(1)).ok());
  EXPECT_EQ(Number(Read(kFile, SmallKey(1)).status()), 11);
}

TEST_F(VolumeTest, RefusesWithEnscribeNumbers) {
  MustCreate(kFile, false);
  ASSERT_TRUE(Write(kFile, SmallRecord(1)).ok());
  EXPECT_EQ(Number(Write(kFile, SmallRecord(1, "again"))), 10);
  EXPECT_EQ(Number(Write(kFile, "12")), 21);
  EXPECT_EQ(Number(Write(kFile, std::string(101, '1'))), 21);
  EXPECT_EQ(Number(Update(kFile, SmallRecord(2))), 11);
  EXPECT_EQ(Number(Update(kFile, "")), 21);
  EXPECT_EQ(Number(Delete(kFile, SmallKey(2))), 11);
  EXPECT_EQ(Number(Read(kFile, "12").status()), 21);
  EXPECT_EQ(Number(Read(kFile, "2", ReadMode::kApproximate).status()), 1);
  EXPECT_EQ(Number(Write("$DATA01.TEST.NONE", SmallRecord(1))), 11);
  EXPECT_EQ(Number(Write("$DATA02.TEST.FILE", SmallRecord(1))), 14);
  EXPECT_EQ(*Read(kFile, SmallKey(1)), SmallRecord(1));
}

TEST_F(VolumeTest, ScansBothWays) {
  MustCreate(kFile, true);
  std::vector<std::string> expected;
  for (int key = 0; key < 300; ++key) {
    expected.push_back(SmallRecord(key));
    ASSERT_TRUE(Write(kFile, expected.back()).ok());
  }
  ScanRequest scan{Ref(kFile), {}, false, false, 500, 0};
  EXPECT_EQ(*ScanAll(volume_.volume(), scan), expected);
  scan.reverse = true;
  std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(*ScanAll(volume_.volume(), scan), expected);
  scan.range = KeyRange{SmallKey(10), SmallKey(13)};
  scan.start_exclusive = true;
  EXPECT_THAT(*ScanAll(volume_.volume(), scan),
              ::testing::ElementsAre(SmallRecord(12), SmallRecord(11)));
  scan = ScanRequest{Ref(kFile), {}, false, false, 0, 7};
  EXPECT_EQ(ScanAll(volume_.volume(), scan)->size(), 7U);
  scan.range = KeyRange{SmallKey(5), SmallKey(5)};
  EXPECT_TRUE(ScanAll(volume_.volume(), scan)->empty());
}

TEST_F(VolumeTest, ScanOfAPurgedAndRemadeFileIsRefused) {
  MustCreate(kFile, true);
  for (int key = 0; key < 50; ++key) ASSERT_TRUE(Write(kFile, SmallRecord(key)).ok());
  std::unique_ptr<ScanStream> scan =
      volume_->Scan(ScanRequest{Ref(kFile), {}, false, false, 100, 0});
  const auto next = [&] {
    return Await<ScanPage>([&](Done<ScanPage> done) { scan->Next(std::move(done)); });
  };
  ASSERT_TRUE(next().ok());
  ASSERT_TRUE(Purge(kFile).ok());
  MustCreate(kFile, true);
  EXPECT_EQ(Number(next().status()), 60);
  EXPECT_EQ(Number(next().status()), 1);
}

RecordChunk Chunk(const std::vector<std::string>& records) {
  RecordChunk chunk;
  for (const std::string& record : records) chunk.Add(record);
  return chunk;
}

TEST_F(VolumeTest, LoadStopsAtTheFirstRefusedRecordAndKeepsWhatItTook) {  // R-A3
  MustCreate(kFile, false);
  std::unique_ptr<LoadStream> load = volume_->Load(LoadRequest{Ref(kFile), false});
  const auto send = [&](RecordChunk chunk) {
    return Await<LoadAnswer>(
        [&](Done<LoadAnswer> done) { load->Send(std::move(chunk), std::move(done)); });
  };
  const absl::StatusOr<LoadAnswer> first =
      send(Chunk({SmallRecord(1), SmallRecord(2), SmallRecord(1), SmallRecord(3)}));
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->accepted, 2U);
  ASSERT_EQ(first->refused.size(), 1U);
  EXPECT_EQ(first->refused[0].first, 2U);
  EXPECT_EQ(Number(first->refused[0].second), 10);
  EXPECT_TRUE(first->stopped);
  EXPECT_EQ(Number(send(Chunk({SmallRecord(4)})).status()), 22);
  EXPECT_TRUE(AwaitStatus([&](DoneStatus done) { load->Finish(std::move(done)); }).ok());
  EXPECT_EQ(ScanAll(volume_.volume(), ScanRequest{Ref(kFile)})->size(), 2U);
}

TEST_F(VolumeTest, LoadContinuesWhenAsked) {
  MustCreate(kFile, true);
  std::unique_ptr<LoadStream> load = volume_->Load(LoadRequest{Ref(kFile), true});
  RecordChunk malformed = Chunk({SmallRecord(9)});
  malformed.lengths[0] += 1;
  const auto send = [&](RecordChunk chunk) {
    return Await<LoadAnswer>(
        [&](Done<LoadAnswer> done) { load->Send(std::move(chunk), std::move(done)); });
  };
  const absl::StatusOr<LoadAnswer> answer =
      send(Chunk({SmallRecord(1), "x", SmallRecord(1), SmallRecord(2)}));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->accepted, 2U);
  EXPECT_EQ(answer->refused.size(), 2U);
  EXPECT_FALSE(answer->stopped);
  EXPECT_EQ(Number(send(std::move(malformed)).status()), 22);
}

}  // namespace
}  // namespace quire::test
