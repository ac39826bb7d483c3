// Loads over partitions: order, refusals, stopping (R-A3).
#include "client/filesystem/partitioned_load.h"

#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;

class PartitionedLoadTest : public ::testing::Test {
 protected:
  PartitionedLoadTest() : cluster_(3) { cluster_.CreateParts(); }

  absl::StatusOr<LoadSummary> Load(const std::vector<std::string>& keys, bool continue_on_error,
                                   uint32_t chunk_bytes = 0) {
    const std::unique_ptr<File> file = cluster_.Open();
    std::string record;
    taken_ = 0;
    LoadOptions options;
    options.continue_on_error = continue_on_error;
    options.chunk_bytes = chunk_bytes;
    return file->Load(
        [&](std::string_view* out) {
          if (taken_ == keys.size()) return false;
          record = Record(keys[taken_++]);
          *out = record;
          return true;
        },
        options);
  }

  static std::vector<std::string> Refused(const LoadSummary& summary) {
    std::vector<std::string> refused;
    for (const auto& [index, status] : summary.refused) {
      refused.push_back(StrCat(index, ":", Number(status)));
    }
    return refused;
  }

  Cluster cluster_;
  size_t taken_ = 0;
};

TEST_F(PartitionedLoadTest, RecordsGoToTheirPartitions) {
  for (const uint32_t chunk_bytes : {1u, 12u, 0u}) {
    const absl::StatusOr<LoadSummary> summary =
        Load({"C001", "A001", "B001", "A002", "C002"}, false, chunk_bytes);
    ASSERT_TRUE(summary.ok()) << summary.status();
    EXPECT_EQ(summary->accepted, 5u);
    EXPECT_TRUE(summary->refused.empty());
    EXPECT_THAT(cluster_.volume(1).Keys(kFile), ElementsAre("A001", "A002"));
    EXPECT_THAT(cluster_.volume(3).Keys(kFile), ElementsAre("C001", "C002"));
    ASSERT_TRUE(cluster_.files().Purge(PartsName()).ok());
    cluster_.CreateParts();
  }
}

TEST_F(PartitionedLoadTest, R_A3_ContinueReportsEveryRefusedRecordByItsNumber) {
  for (const uint32_t chunk_bytes : {1u, 17u, 0u}) {
    const absl::StatusOr<LoadSummary> summary =
        Load({"A001", "B001", "A001", "C001", "B001", "C002"}, true, chunk_bytes);
    ASSERT_TRUE(summary.ok());
    EXPECT_FALSE(summary->stopped);
    EXPECT_EQ(summary->accepted, 4u);
    EXPECT_THAT(Refused(*summary), ElementsAre("2:10", "4:10"));
    ASSERT_TRUE(cluster_.files().Purge(PartsName()).ok());
    cluster_.CreateParts();
  }
}

TEST_F(PartitionedLoadTest, R_A3_StopSendsNothingBehindTheRefusedRecord) {
  // One record a chunk and inline answers: the refusal is known before the next record.
  const absl::StatusOr<LoadSummary> summary =
      Load({"A001", "B001", "A001", "A002", "B002", "C001"}, false, 1);
  ASSERT_TRUE(summary.ok());
  EXPECT_TRUE(summary->stopped);
  EXPECT_EQ(summary->accepted, 2u);
  EXPECT_THAT(Refused(*summary), ElementsAre("2:10"));
  EXPECT_TRUE(cluster_.volume(3).Keys(kFile).empty());
  EXPECT_LE(taken_, 4u);
}

TEST_F(PartitionedLoadTest, R_A3_StopKeepsWhatOtherPartitionsHadGot) {
  const absl::StatusOr<LoadSummary> summary = Load({"A001", "A001", "A002", "B001", "C001"}, false);
  ASSERT_TRUE(summary.ok());
  EXPECT_TRUE(summary->stopped);
  EXPECT_EQ(summary->accepted, 3u);  // A001, B001, C001: all in the one chunk
  EXPECT_THAT(Refused(*summary), ElementsAre("1:10"));
  EXPECT_THAT(cluster_.volume(1).Keys(kFile), ElementsAre("A001"));
}

TEST_F(PartitionedLoadTest, R_A3_ChunkAfterAStopIs22) {
  const std::shared_ptr<Service> router = MakeRouterService(cluster_.services());
  LoadRequest request;
  request.file.name = PartsName();
  const std::unique_ptr<LoadStream> load = router->Load(request);
  const auto send = [&](const std::vector<std::string>& keys) {
    RecordChunk chunk;
    for (const std::string& key : keys) chunk.Add(Record(key));
    return Await<absl::StatusOr<LoadAnswer>>(
        [&](auto done) { load->Send(std::move(chunk), std::move(done)); });
  };
  const absl::StatusOr<LoadAnswer> first = send({"A001", "A001"});
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->chunk, 0u);
  EXPECT_TRUE(first->stopped);
  EXPECT_EQ(Number(send({"B001"})), 22);
  EXPECT_TRUE(cluster_.volume(2).Keys(kFile).empty());
  EXPECT_TRUE(Await<absl::Status>([&](auto done) { load->Finish(std::move(done)); }).ok());
}

TEST_F(PartitionedLoadTest, R_S3_DeadPartition) {
  cluster_.volume(2).on_call = [](const std::string& call) {
    return call == "Load" ? Failure{MakeError(ErrorNumber::kVolumeDown, "down"), false} : Failure{};
  };
  absl::StatusOr<LoadSummary> summary = Load({"A001", "B001", "C001", "B002"}, true);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->accepted, 2u);
  EXPECT_THAT(Refused(*summary), ElementsAre("1:66", "3:66"));
  summary = Load({"A002", "B001", "B002"}, false);
  ASSERT_TRUE(summary.ok());
  EXPECT_TRUE(summary->stopped);
  EXPECT_EQ(summary->accepted, 1u);
  EXPECT_THAT(Refused(*summary), ElementsAre("1:66"));
}

TEST_F(PartitionedLoadTest, MalformedChunkIs22) {
  const std::shared_ptr<Service> router = MakeRouterService(cluster_.services());
  LoadRequest request;
  request.file.name = PartsName();
  const std::unique_ptr<LoadStream> load = router->Load(request);
  RecordChunk chunk;
  chunk.Add(Record("A001"));
  chunk.lengths.push_back(1000);
  EXPECT_EQ(Number(Await<absl::StatusOr<LoadAnswer>>(
                [&](auto done) { load->Send(std::move(chunk), std::move(done)); })),
            22);
}

TEST_F(PartitionedLoadTest, MissingFileIs11) {
  const std::shared_ptr<Service> router = MakeRouterService(cluster_.services());
  LoadRequest request;
  request.file.name = {"", "$DATA01", "SHOP", "NONE"};
  const std::unique_ptr<LoadStream> load = router->Load(request);
  EXPECT_EQ(Number(Await<absl::StatusOr<LoadAnswer>>(
                [&](auto done) { load->Send(RecordChunk(), std::move(done)); })),
            11);
  EXPECT_EQ(Number(Await<absl::Status>([&](auto done) { load->Finish(std::move(done)); })), 11);
}

}  // namespace
}  // namespace quire::testing
