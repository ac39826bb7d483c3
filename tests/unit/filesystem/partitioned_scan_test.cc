// Scans over borders (R-A2, R-S3).
#include "client/filesystem/partitioned_scan.h"

#include <algorithm>

#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

const std::vector<std::string> kKeys = {"A001", "A002", "A003", "B001", "D001", "D002", "D003"};

class PartitionedScanTest : public ::testing::Test {
 protected:
  PartitionedScanTest() : cluster_(4) {
    cluster_.Fill(kKeys);
    file_ = cluster_.Open();
  }

  // Keys of the records, then the number that ended the scan.
  std::vector<std::string> Keys(const ScanOptions& options) {
    std::vector<std::string> keys;
    const std::unique_ptr<Scanner> scanner = file_->Scan(options);
    while (true) {
      const absl::StatusOr<std::string_view> record = scanner->Next();
      if (!record.ok()) {
        last_ = record.status();
        return keys;
      }
      keys.emplace_back(record->substr(1));
    }
  }

  Cluster cluster_;
  std::unique_ptr<File> file_;
  absl::Status last_;
};

TEST_F(PartitionedScanTest, R_A2_EveryRangeForwardsAndBackwards) {
  std::vector<std::string> bounds = kKeys;
  for (const char* more : {"", "B", "C", "C500", "D", "E"}) bounds.emplace_back(more);
  for (const std::string& start : bounds) {
    for (const std::string& limit : bounds) {
      SCOPED_TRACE(StrCat("[", start, ", ", limit, ")"));
      ScanOptions options;
      options.range = {start, limit};
      std::vector<std::string> expected;
      std::copy_if(kKeys.begin(), kKeys.end(), std::back_inserter(expected),
                   [&](const std::string& key) { return options.range.Contains(key); });
      EXPECT_EQ(Keys(options), expected);
      EXPECT_EQ(Number(last_), 1);
      options.reverse = true;
      std::reverse(expected.begin(), expected.end());
      EXPECT_EQ(Keys(options), expected);
    }
  }
}

TEST_F(PartitionedScanTest, StartExclusiveLeavesOutOnlyTheStart) {
  ScanOptions options;
  options.range.start = "A003";
  options.start_exclusive = true;
  EXPECT_THAT(Keys(options), ::testing::ElementsAre("B001", "D001", "D002", "D003"));
  options.range.start = "D001";
  EXPECT_THAT(Keys(options), ::testing::ElementsAre("D002", "D003"));
}

TEST_F(PartitionedScanTest, MaxRecordsCountsOverPartitions) {
  for (uint64_t most = 1; most <= kKeys.size() + 1; ++most) {
    ScanOptions options;
    options.max_records = most;
    EXPECT_EQ(Keys(options).size(), std::min<size_t>(most, kKeys.size()));
    EXPECT_EQ(Number(last_), 1);
  }
}

TEST_F(PartitionedScanTest, AsksEachPartitionOnlyForItsPart) {
  ScanOptions options;
  options.range = {"A002", "B"};
  Keys(options);
  ASSERT_EQ(cluster_.volume(1).scans().size(), 1u);
  EXPECT_EQ(cluster_.volume(1).scans()[0].range, (KeyRange{"A002", "B"}));
  EXPECT_EQ(cluster_.volume(1).scans()[0].file.open_id, file_->open_id());
  EXPECT_TRUE(cluster_.volume(2).scans().empty());
}

TEST_F(PartitionedScanTest, R_S3_DeadPartitionEndsItWithItsNumberAndTheLastKey) {
  cluster_.volume(2).SetDown(true);
  EXPECT_THAT(Keys({}), ::testing::ElementsAre("A001", "A002", "A003"));
  EXPECT_EQ(Number(last_), 66);
  EXPECT_THAT(std::string(last_.message()), ::testing::HasSubstr("A003"));
  // Reading on behind it is possible.
  ScanOptions options;
  options.range.start = "C";
  EXPECT_EQ(Keys(options).size(), 3u);
}

TEST_F(PartitionedScanTest, StaleLabelIsFetchedAgainOnce) {
  const std::shared_ptr<Service> router = MakeRouterService(cluster_.services());
  ScanRequest request;
  request.file.name = PartsName();
  const auto first_page = [&] {
    const std::unique_ptr<ScanStream> stream = router->Scan(request);
    return Await<absl::StatusOr<ScanPage>>([&](auto done) { stream->Next(std::move(done)); });
  };
  ASSERT_TRUE(first_page().ok());  // the label is known now
  ASSERT_TRUE(file_->Close().ok());
  ASSERT_TRUE(cluster_.files().Purge(PartsName()).ok());
  cluster_.CreateParts();
  const absl::StatusOr<ScanPage> page = first_page();
  ASSERT_TRUE(page.ok()) << page.status();
  EXPECT_TRUE(page->end);
}

TEST_F(PartitionedScanTest, NextBehindTheEndIs1) {
  const std::shared_ptr<Service> router = MakeRouterService(cluster_.services());
  ScanRequest request;
  request.file.name = PartsName();
  request.range = {"E", "D"};
  const std::unique_ptr<ScanStream> stream = router->Scan(request);
  const auto next = [&] {
    return Await<absl::StatusOr<ScanPage>>([&](auto done) { stream->Next(std::move(done)); });
  };
  EXPECT_TRUE(next()->end);
  EXPECT_EQ(Number(next()), 1);
}

}  // namespace
}  // namespace quire::testing
