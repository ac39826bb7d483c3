// FILES, REFRESH and counters over volumes.
#include "client/filesystem/list_files.h"

#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

using ::testing::ElementsAre;

FileName All() {
  return FileName{"", "$*", "*", "*"};
}

std::vector<std::string> Names(const std::vector<FileInfo>& files) {
  std::vector<std::string> names;
  for (const FileInfo& info : files) names.push_back(info.name.ToString());
  return names;
}

FileAttributes Plain() {
  FileAttributes attributes;
  attributes.key_length = 4;
  return attributes;
}

TEST(ListFiles, MergesVolumesInNameOrder) {
  Cluster cluster(3);
  cluster.CreateParts();
  ASSERT_TRUE(cluster.files().Create({"", "$DATA02", "A", "FIRST"}, Plain()).ok());
  const auto files = cluster.files().List(All(), false);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_THAT(Names(*files), ElementsAre("$DATA01.SHOP.PARTS", "$DATA02.A.FIRST",
                                         "$DATA02.SHOP.PARTS", "$DATA03.SHOP.PARTS"));
}

TEST(ListFiles, PagesOfEverySizeGiveTheSameList) {
  Cluster cluster(3);
  cluster.CreateParts();
  for (const char* volume : {"$DATA01", "$DATA03"}) {
    for (const char* name : {"A", "B", "C"}) {
      ASSERT_TRUE(cluster.files().Create({"", volume, "SUB", name}, Plain()).ok());
    }
  }
  const auto whole = cluster.files().List(All(), false);
  ASSERT_TRUE(whole.ok());
  ASSERT_EQ(whole->size(), 9u);
  for (uint32_t page_size = 1; page_size <= 10; ++page_size) {
    std::vector<FileInfo> files;
    ListRequest request;
    request.fileset = All();
    request.page_size = page_size;
    do {
      const auto page = ListFiles(cluster.volume_set(), request);
      ASSERT_TRUE(page.ok()) << page.status();
      EXPECT_LE(page->files.size(), page_size);
      files.insert(files.end(), page->files.begin(), page->files.end());
      request.page_token = page->next_page_token;
    } while (!request.page_token.empty());
    EXPECT_EQ(Names(files), Names(*whole)) << page_size;
  }
}

TEST(ListFiles, LeavesOutVolumesThatAreDown) {
  Cluster cluster(3);
  cluster.CreateParts();
  cluster.volume(1).SetDown(true);
  const auto files = cluster.files().List(All(), false);
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->size(), 2u);
  EXPECT_EQ(Number(cluster.files().List({"", "$DATA01", "*", "*"}, false)), 66);
  EXPECT_EQ(Number(cluster.files().List({"", "$NONE", "*", "*"}, false)), 14);
  cluster.volume(2).SetDown(true);
  cluster.volume(3).SetDown(true);
  EXPECT_EQ(Number(cluster.files().List(All(), false)), 66);
}

TEST(ListFiles, R_D13_PendingShowsUnfinishedAndOrphanedPartitions) {
  Cluster cluster(3);
  cluster.CreateParts();
  CreateRequest unfinished;
  unfinished.name = {"", "$DATA02", "SHOP", "HALF"};
  unfinished.partition_only = true;
  unfinished.partition = 1;
  unfinished.primary_volume = "$DATA01";
  unfinished.create_id = 77;
  ASSERT_TRUE(Await<absl::StatusOr<FileInfo>>([&](auto done) {
                cluster.volume(2).Create(unfinished, std::move(done));
              }).ok());
  auto pending = cluster.files().List(All(), true);
  ASSERT_TRUE(pending.ok()) << pending.status();
  EXPECT_THAT(Names(*pending), ElementsAre("$DATA02.SHOP.HALF"));
  EXPECT_EQ(cluster.files().List(All(), false)->size(), 3u);  // it is invisible else

  // A primary that cannot be asked is not taken for gone.
  cluster.volume(1).SetDown(true);
  EXPECT_EQ(cluster.files().List(All(), true)->size(), 1u);
  cluster.volume(1).SetDown(false);
  cluster.volume(1).RemoveLabel(kFile);
  pending = cluster.files().List(All(), true);
  EXPECT_THAT(Names(*pending),
              ElementsAre("$DATA02.SHOP.HALF", "$DATA02.SHOP.PARTS", "$DATA03.SHOP.PARTS"));
}

TEST(ListFiles, ForeignPageTokensAre22) {
  Cluster cluster(2);
  for (const char* token : {"x", "$DATA01", "$DATA01/9/", "$NONE/0/", "/", "$DATA01/1/"}) {
    ListRequest request;
    request.fileset = All();
    request.page_token = token;
    EXPECT_EQ(Number(ListFiles(cluster.volume_set(), request)), 22) << token;
  }
}

TEST(ListFiles, RefreshOfOneAndOfAll) {
  Cluster cluster(3);
  EXPECT_EQ(cluster.files().Refresh("$DATA02")->blocks_written, 3u);
  EXPECT_EQ(cluster.files().Refresh("")->blocks_written, 9u);
  EXPECT_EQ(Number(cluster.files().Refresh("$NONE")), 14);
  cluster.volume(2).SetDown(true);
  EXPECT_EQ(Number(cluster.files().Refresh("")), 66);
  EXPECT_TRUE(cluster.files().Refresh("$DATA03").ok());
}

TEST(ListFiles, SnapshotOfThoseThatAnswer) {
  Cluster cluster(3);
  EXPECT_EQ(cluster.files().Snapshot("")->volumes.size(), 3u);
  cluster.volume(2).SetDown(true);
  const auto snapshot = cluster.files().Snapshot("");
  ASSERT_TRUE(snapshot.ok());
  ASSERT_EQ(snapshot->volumes.size(), 2u);
  EXPECT_EQ(snapshot->volumes[1].volume, "$DATA03");
  EXPECT_EQ(Number(cluster.files().Snapshot("$DATA02")), 66);
  EXPECT_EQ(Number(cluster.files().Snapshot("$NONE")), 14);
  cluster.volume(1).SetDown(true);
  cluster.volume(3).SetDown(true);
  EXPECT_EQ(Number(cluster.files().Snapshot("")), 66);
}

TEST(ListFiles, VolumesAreThoseOfTheMap) {
  Cluster cluster(2);
  EXPECT_THAT(*cluster.files().Volumes(), ElementsAre("$DATA01", "$DATA02"));
}

}  // namespace
}  // namespace quire::testing
