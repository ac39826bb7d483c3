// CREATE over volumes: all or nothing, at whatever step it fails (R-D13, R-B6).
#include "client/filesystem/create_file.h"

#include <set>

#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

CreateRequest PartsRequest(uint32_t partitions) {
  CreateRequest request;
  request.name = PartsName();
  request.attributes = PartsAttributes(partitions);
  return request;
}

// Makes the `occurrence`-th call of that name at one volume fail.
void FailCall(FakeVolume& volume, const std::string& call, const Failure& failure,
              int occurrence = 1) {
  volume.on_call = [=, seen = 0](const std::string& name) mutable {
    return name == call && ++seen == occurrence ? failure : Failure{};
  };
}

absl::Status NoSpace() {
  return MakeError(ErrorNumber::kNoDiscSpace, "no room");
}
absl::Status Lost() {
  return MakeError(ErrorNumber::kPathDown, "connection lost", Retry::kOutcomeUnknown);
}

TEST(CreateFile, R_D13_MakesSecondariesFirstThenConfirmsAll) {
  Cluster cluster(3);
  const absl::StatusOr<FileInfo> created = CreateFile(cluster.volume_set(), PartsRequest(3));
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_NE(created->create_id, 0u);
  EXPECT_TRUE(created->confirmed);
  std::set<uint64_t> ids;
  for (uint32_t i = 1; i <= 3; ++i) {
    const FileInfo label = cluster.volume(i).Labels().at(0);
    EXPECT_EQ(label.partition, i - 1);
    EXPECT_EQ(label.primary_volume, "$DATA01");
    EXPECT_FALSE(label.pending);
    ids.insert(label.create_id);
  }
  EXPECT_EQ(ids.size(), 1u);
  EXPECT_THAT(cluster.volume(1).calls(), ::testing::ElementsAre("Info", "Create", "Alter"));
  EXPECT_THAT(cluster.volume(2).calls(), ::testing::ElementsAre("Create", "Alter"));
}

// Every step before the commit, refused or with its answer lost.
TEST(CreateFile, R_D13_FailureAtEachStepLeavesNothing) {
  struct Case {
    uint32_t volume;
    std::string call;
    Failure failure;
    int number;
  };
  const std::vector<Case> cases = {
      {1, "Info", {MakeError(ErrorNumber::kVolumeDown, "down"), false}, 66},
      {2, "Create", {NoSpace(), false}, 43},
      {2, "Create", {Lost(), false}, 66},
      {2, "Create", {Lost(), true}, 66},
      {3, "Create", {NoSpace(), false}, 43},
      {3, "Create", {Lost(), true}, 66},
      {4, "Create", {NoSpace(), false}, 43},
      {1, "Create", {NoSpace(), false}, 43},
      {1, "Create", {Lost(), false}, 201},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(StrCat("volume ", one.volume, " ", one.call, " ", one.number,
                        one.failure.lost_answer ? " answer lost" : ""));
    Cluster cluster(4);
    FailCall(cluster.volume(one.volume), one.call, one.failure);
    EXPECT_EQ(Number(CreateFile(cluster.volume_set(), PartsRequest(4))), one.number);
    EXPECT_EQ(cluster.Labels(), 0);
    // Nothing stands in the way of the next try.
    EXPECT_TRUE(CreateFile(cluster.volume_set(), PartsRequest(4)).ok());
  }
}

TEST(CreateFile, R_D13_LostAnswerOfTheCommitIsLookedUp) {
  Cluster cluster(3);
  FailCall(cluster.volume(1), "Create", {Lost(), true});
  const absl::StatusOr<FileInfo> created = CreateFile(cluster.volume_set(), PartsRequest(3));
  ASSERT_TRUE(created.ok()) << created.status();
  EXPECT_TRUE(created->confirmed);
  EXPECT_EQ(cluster.Labels(), 3);
}

TEST(CreateFile, R_D13_UnknownCommitIsNotUndone) {
  Cluster cluster(3);
  cluster.volume(1).on_call = [seen = 0](const std::string& call) mutable {
    if (call == "Create") return Failure{Lost(), true};
    return call == "Info" && ++seen > 1 ? Failure{Lost(), false} : Failure{};
  };
  EXPECT_EQ(Number(CreateFile(cluster.volume_set(), PartsRequest(3))), 201);
  EXPECT_EQ(cluster.Labels(), 3);
  // The file exists; its first user finishes it.
  cluster.volume(1).on_call = nullptr;
  const absl::StatusOr<FileDescription> info = cluster.files().Info(PartsName());
  ASSERT_TRUE(info.ok()) << info.status();
  EXPECT_TRUE(info->primary.confirmed);
  EXPECT_FALSE(cluster.volume(3).Labels().at(0).pending);
}

TEST(CreateFile, R_D13_UndoThatCannotReachAVolumeLeavesItPending) {
  Cluster cluster(3);
  FailCall(cluster.volume(2), "Purge", {Lost(), false});
  FailCall(cluster.volume(3), "Create", {NoSpace(), false});
  EXPECT_EQ(Number(CreateFile(cluster.volume_set(), PartsRequest(3))), 43);
  EXPECT_TRUE(cluster.volume(2).Labels().at(0).pending);
  EXPECT_EQ(Number(cluster.files().Open(PartsName(), {})), 11);
  EXPECT_TRUE(CreateFile(cluster.volume_set(), PartsRequest(3)).ok());
}

TEST(CreateFile, R_D13_FailureAfterTheCommitIsFinishedAtOpen) {
  for (const uint32_t failing : {1u, 2u, 3u}) {
    SCOPED_TRACE(failing);
    Cluster cluster(3);
    FailCall(cluster.volume(failing), "Alter", {Lost(), false});
    const absl::StatusOr<FileInfo> created = CreateFile(cluster.volume_set(), PartsRequest(3));
    ASSERT_TRUE(created.ok()) << created.status();
    EXPECT_FALSE(created->confirmed);
    const std::unique_ptr<File> file = cluster.Open();
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(file->open_warning(), ErrorNumber::kOk);
    EXPECT_TRUE(cluster.volume(1).Labels().at(0).confirmed);
    EXPECT_FALSE(cluster.volume(failing).Labels().at(0).pending);
  }
}

TEST(CreateFile, R_D13_FinishMakesALostSecondaryAgain) {
  Cluster cluster(3);
  FailCall(cluster.volume(2), "Alter", {Lost(), false});
  ASSERT_TRUE(CreateFile(cluster.volume_set(), PartsRequest(3)).ok());
  cluster.volume(3).RemoveLabel(kFile);
  EXPECT_TRUE(FinishCreate(cluster.volume_set(), cluster.volume(1).Labels().at(0)).ok());
  EXPECT_EQ(cluster.Labels(), 3);
  EXPECT_FALSE(cluster.volume(3).Labels().at(0).pending);
}

TEST(CreateFile, R_B6_RefusalsCreateNothing) {
  Cluster cluster(3);
  CreateRequest request = PartsRequest(3);
  request.attributes.partitions[1].volume = "$NOWHERE";
  const absl::Status unknown = CreateFile(cluster.volume_set(), request).status();
  EXPECT_EQ(Number(unknown), 14);
  EXPECT_THAT(std::string(unknown.message()), ::testing::HasSubstr("PART 2"));
  EXPECT_THAT(std::string(unknown.message()), ::testing::HasSubstr("$NOWHERE"));

  request = PartsRequest(3);
  request.name.volume = "$NOWHERE";
  EXPECT_EQ(Number(CreateFile(cluster.volume_set(), request)), 14);
  request = PartsRequest(3);
  request.attributes.partitions[0].volume = "$DATA01";
  EXPECT_EQ(Number(CreateFile(cluster.volume_set(), request)), 10);
  request = PartsRequest(3);
  request.attributes.partitions[1].partial_key = "A";
  EXPECT_EQ(Number(CreateFile(cluster.volume_set(), request)), 46);
  request = PartsRequest(3);
  request.attributes.key_length = 0;
  EXPECT_EQ(Number(CreateFile(cluster.volume_set(), request)), 21);
  EXPECT_EQ(cluster.Labels(), 0);
}

TEST(CreateFile, R_B6_ExistingNameIs10) {
  Cluster cluster(3);
  cluster.CreateParts();
  EXPECT_EQ(Number(CreateFile(cluster.volume_set(), PartsRequest(3))), 10);
  CreateRequest on_secondary;
  on_secondary.name = PartsName().OnVolume("$DATA02");
  on_secondary.attributes.key_length = 4;
  EXPECT_EQ(Number(CreateFile(cluster.volume_set(), on_secondary)), 10);
  EXPECT_EQ(cluster.Labels(), 3);
}

}  // namespace
}  // namespace quire::testing
