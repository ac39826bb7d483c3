// PURGE and ALTER over volumes (R-D13).
#include "client/filesystem/change_file.h"

#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

absl::Status Lost() {
  return MakeError(ErrorNumber::kPathDown, "connection lost", Retry::kOutcomeUnknown);
}

TEST(ChangeFile, R_D13_PurgeRemovesEveryPartition) {
  Cluster cluster(4);
  cluster.CreateParts();
  EXPECT_TRUE(cluster.files().Purge(PartsName()).ok());
  EXPECT_EQ(cluster.Labels(), 0);
  EXPECT_EQ(Number(cluster.files().Purge(PartsName())), 11);
}

TEST(ChangeFile, R_D13_PurgeWithAVolumeDownPurgesNothing) {
  for (const uint32_t down : {1u, 2u, 3u}) {
    SCOPED_TRACE(down);
    Cluster cluster(3);
    cluster.CreateParts();
    cluster.volume(down).SetDown(true);
    EXPECT_EQ(Number(cluster.files().Purge(PartsName())), 66);
    EXPECT_EQ(cluster.Labels(), 3);
  }
}

TEST(ChangeFile, R_D13_PurgeOfAnOpenFileIs12AndPurgesNothing) {
  for (const uint32_t opened : {1u, 2u, 3u}) {
    SCOPED_TRACE(opened);
    Cluster cluster(3);
    cluster.CreateParts();
    cluster.volume(opened).SetOpenCount(kFile, 1);
    EXPECT_EQ(Number(cluster.files().Purge(PartsName())), 12);
    EXPECT_EQ(cluster.Labels(), 3);
  }
}

TEST(ChangeFile, R_D13_PurgeFailingAtEachStep) {
  struct Case {
    uint32_t volume;
    bool lost_answer;
    int number;
    int labels;
  };
  // At the primary: all or nothing. At a secondary: the file is gone, an orphan stays.
  const std::vector<Case> cases = {
      {1, false, 201, 3}, {1, true, 0, 0}, {2, false, 3, 1}, {3, false, 3, 1}, {3, true, 3, 0}};
  for (const Case& one : cases) {
    SCOPED_TRACE(StrCat("volume ", one.volume, one.lost_answer ? " answer lost" : ""));
    Cluster cluster(3);
    cluster.CreateParts();
    cluster.volume(one.volume).on_call = [&](const std::string& call) {
      return call == "Purge" ? Failure{Lost(), one.lost_answer} : Failure{};
    };
    const absl::Status purged = cluster.files().Purge(PartsName());
    EXPECT_EQ(Number(purged), one.number) << purged;
    EXPECT_EQ(cluster.Labels(), one.labels);
    if (one.number == 3) {
      EXPECT_THAT(std::string(purged.message()),
                  ::testing::HasSubstr(StrCat("$DATA0", one.volume)));
      EXPECT_EQ(Number(cluster.files().Info(PartsName())), 11);
    }
  }
}

TEST(ChangeFile, R_S3_SecondaryByNameIs72) {
  Cluster cluster(2);
  cluster.CreateParts();
  const FileName secondary = PartsName().OnVolume("$DATA02");
  EXPECT_EQ(Number(cluster.files().Purge(secondary)), 72);
  EXPECT_EQ(Number(cluster.files().Alter(secondary, {})), 72);
  EXPECT_EQ(Number(cluster.files().Open(secondary, {})), 72);
  EXPECT_EQ(cluster.Labels(), 2);
}

TEST(ChangeFile, AlterReachesEveryPartition) {
  Cluster cluster(3);
  cluster.CreateParts();
  FileSystem::Changes changes;
  changes.audit = true;
  changes.max_extents = 100;
  ASSERT_TRUE(cluster.files().Alter(PartsName(), changes).ok());
  for (uint32_t i = 1; i <= 3; ++i) {
    EXPECT_TRUE(cluster.volume(i).Labels().at(0).attributes.audit);
    EXPECT_TRUE(cluster.volume(i).Labels().at(0).attributes.buffered);
    EXPECT_EQ(cluster.volume(i).Labels().at(0).attributes.max_extents, 100u);
  }
}

TEST(ChangeFile, AlterWithAVolumeDownChangesNothing) {
  Cluster cluster(3);
  cluster.CreateParts();
  cluster.volume(2).SetDown(true);
  FileSystem::Changes changes;
  changes.buffered = true;
  EXPECT_EQ(Number(cluster.files().Alter(PartsName(), changes)), 66);
  EXPECT_FALSE(cluster.volume(1).Labels().at(0).attributes.buffered);
  EXPECT_FALSE(cluster.volume(3).Labels().at(0).attributes.buffered);
}

TEST(ChangeFile, AlterFailingHalfWayIs3AndNamesTheVolume) {
  Cluster cluster(3);
  cluster.CreateParts();
  cluster.volume(2).on_call = [](const std::string& call) {
    return call == "Alter" ? Failure{Lost(), false} : Failure{};
  };
  FileSystem::Changes changes;
  changes.buffered = true;
  const absl::Status altered = cluster.files().Alter(PartsName(), changes);
  EXPECT_EQ(Number(altered), 3);
  EXPECT_THAT(std::string(altered.message()), ::testing::HasSubstr("$DATA02"));
}

TEST(ChangeFile, StepsAreNotForUsersOfARouter) {
  Cluster cluster(2);
  cluster.CreateParts();
  AlterRequest request;
  request.file.name = PartsName();
  request.step = PartitionStep::kConfirm;
  EXPECT_EQ(Number(AlterFile(cluster.volume_set(), request)), 22);
}

}  // namespace
}  // namespace quire::testing
