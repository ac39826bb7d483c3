// CREATE, INFO, ALTER, PURGE, LIST at one volume, and the partition protocol (R-D12, R-D13).

#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";

CreateRequest Secondary(const std::string& name, uint64_t create_id) {
  CreateRequest create = SmallFile(name, false);
  create.attributes.partitions = {PartitionSpec{"$DATA01", {2, 2}, "5"}};
  create.partition_only = true;
  create.partition = 1;
  create.primary_volume = "$DATA09";
  create.create_id = create_id;
  return create;
}

FileReference Routed(const std::string& name, uint64_t create_id) {
  return FileReference{*ParseFileName(name), create_id, 0, "test"};
}

TEST_F(VolumeTest, CreateRefusesWithoutLeavingAnything) {  // R-B6
  CreateRequest bad = SmallFile(kFile, false);
  bad.attributes.record_bytes = 5000;
  EXPECT_EQ(Number(Create(bad).status()), 21);
  bad = SmallFile(kFile, false);
  bad.attributes.partitions = {PartitionSpec{"$DATA02", {1, 1}, "5"}};
  EXPECT_EQ(Number(Create(bad).status()), 14);
  bad.attributes.partitions = {PartitionSpec{"$DATA01", {1, 1}, "5"}};
  EXPECT_EQ(Number(Create(bad).status()), 10);
  bad = SmallFile("$DATA02.TEST.FILE", false);
  EXPECT_EQ(Number(Create(bad).status()), 14);
  EXPECT_TRUE(Names().empty());
  MustCreate(kFile, false);
  EXPECT_EQ(Number(Create(SmallFile(kFile, true)).status()), 10);
  EXPECT_FALSE(Info(kFile)->attributes.buffered);
}

TEST_F(VolumeTest, CommandsSurviveACrashInEveryMode) {  // R-D1
  for (bool buffered : {false, true}) {
    const std::string name = buffered ? "$DATA01.TEST.BUF" : "$DATA01.TEST.THRU";
    MustCreate(name, buffered);
    ASSERT_TRUE(Alter(AlterRequest{Ref(name), {}, 100, {}}).ok());
  }
  volume_.CrashAndReopen();
  EXPECT_EQ(Info("$DATA01.TEST.BUF")->attributes.max_extents, 100U);
  EXPECT_EQ(Info("$DATA01.TEST.THRU")->attributes.max_extents, 100U);
  ASSERT_TRUE(Purge("$DATA01.TEST.BUF").ok());
  volume_.CrashAndReopen();
  EXPECT_THAT(Names(), ::testing::ElementsAre("$DATA01.TEST.THRU"));
}

TEST_F(VolumeTest, PurgeGivesBlocksBackAndIdsAreNeverReused) {  // R-D12
  MustCreate(kFile, true);
  for (int key = 0; key < 200; ++key) ASSERT_TRUE(Write(kFile, SmallRecord(key)).ok());
  ASSERT_TRUE(Refresh().ok());
  ASSERT_TRUE(Purge(kFile).ok());
  EXPECT_EQ(Number(Info(kFile).status()), 11);
  MustCreate(kFile, true);
  EXPECT_EQ(ScanAll(volume_.volume(), ScanRequest{Ref(kFile)})->size(), 0U);
  ASSERT_TRUE(Refresh().ok());
  volume_.CrashAndReopen();
  EXPECT_EQ(Info(kFile)->record_count, 0U);
  ASSERT_TRUE(Write(kFile, SmallRecord(1)).ok());
}

TEST_F(VolumeTest, OpenFileIsNotPurged) {
  MustCreate(kFile, false);
  KeptSession session(volume_.volume(), OpenRequest{Ref(kFile)});
  ASSERT_TRUE(session.opened().ok());
  EXPECT_EQ(Number(Purge(kFile)), 12);
  EXPECT_TRUE(session.Close().ok());
  EXPECT_TRUE(Purge(kFile).ok());
}

TEST_F(VolumeTest, IdleSingleCallsDoNotKeepAFileFromPurge) {  // R-S1
  MustCreate(kFile, false);
  ASSERT_TRUE(Write(kFile, SmallRecord(1)).ok());
  EXPECT_TRUE(Purge(kFile).ok());
}

TEST_F(VolumeTest, SecondaryIsPendingUntilConfirmed) {  // R-D13
  const std::string name = "$DATA01.TEST.PART";
  ASSERT_TRUE(Create(Secondary(name, 77)).ok());
  EXPECT_TRUE(Names().empty());
  EXPECT_THAT(Names(/*pending=*/true), ::testing::ElementsAre(name));
  EXPECT_TRUE(Create(Secondary(name, 77)).ok()) << "the same step twice is OK";
  Operation write{OperationKind::kWrite, {}, false, false, {}, "5001x"};
  EXPECT_EQ(Number(RunOne(volume_.volume(), Routed(name, 77), write).status()), 72);
  ASSERT_TRUE(Alter(AlterRequest{Routed(name, 77), {}, {}, PartitionStep::kConfirm}).ok());
  EXPECT_TRUE(RunOne(volume_.volume(), Routed(name, 77), write).ok());
  EXPECT_EQ(Number(RunOne(volume_.volume(), Routed(name, 0), write).status()), 72);
  EXPECT_EQ(Number(RunOne(volume_.volume(), Routed(name, 78), write).status()), 60);
  const std::string wrong_partition = "4001x";
  write.record = wrong_partition;
  EXPECT_EQ(Number(RunOne(volume_.volume(), Routed(name, 77), write).status()), 60);
  volume_.CrashAndReopen();
  EXPECT_THAT(Names(), ::testing::ElementsAre(name));
}

TEST_F(VolumeTest, PendingSecondariesGoAtStartAndMakeWayForANewFile) {  // R-D13
  const std::string name = "$DATA01.TEST.PART";
  ASSERT_TRUE(Create(Secondary(name, 77)).ok());
  ASSERT_TRUE(Create(Secondary(name, 78)).ok());
  EXPECT_EQ(Number(Create(SmallFile(name, false)).status()), 10);
  volume_.CrashAndReopen();
  EXPECT_TRUE(Names(true).empty());
  MustCreate(name, false);
  EXPECT_EQ(Number(Create(Secondary(name, 79)).status()), 10) << "a file in use by name stays";
}

TEST_F(VolumeTest, OwnerAndSecurityAreTheVolumesDefaultsUnlessGiven) {  // R-A7
  volume_.options().default_owner_group = 20;
  volume_.options().default_owner_user = 7;
  volume_.options().default_security = "NUGO";
  volume_.Reopen();
  const FileInfo by_default = MustCreate(kFile, false);
  EXPECT_EQ(by_default.owner_group, 20U);
  EXPECT_EQ(by_default.owner_user, 7U);
  EXPECT_EQ(by_default.security, "NUGO");
  CreateRequest given = SmallFile("$DATA01.TEST.GIVEN", false);
  given.owner_group = 0;
  given.security = "OOOO";
  EXPECT_EQ(Create(given)->owner_group, 0U);
  EXPECT_EQ(Info("$DATA01.TEST.GIVEN")->owner_user, 7U);
  EXPECT_EQ(Info("$DATA01.TEST.GIVEN")->security, "OOOO");
}

TEST_F(VolumeTest, AlterBufferedIsABarrier) {  // R-D6
  MustCreate(kFile, true);
  for (int key = 0; key < 40; ++key) ASSERT_TRUE(Write(kFile, SmallRecord(key)).ok());
  ASSERT_TRUE(Alter(AlterRequest{Ref(kFile), false, {}, {}}).ok());
  EXPECT_FALSE(Info(kFile)->attributes.buffered);
  ASSERT_TRUE(Write(kFile, SmallRecord(40)).ok());
  volume_.CrashAndReopen();
  EXPECT_FALSE(Info(kFile)->attributes.buffered);
  EXPECT_EQ(Info(kFile)->record_count, 41U);
  ASSERT_TRUE(Alter(AlterRequest{Ref(kFile), true, {}, {}}).ok());
  ASSERT_TRUE(Write(kFile, SmallRecord(41)).ok());
  volume_.CrashAndReopen();
  EXPECT_TRUE(Info(kFile)->attributes.buffered);
  EXPECT_EQ(Info(kFile)->record_count, 41U) << "BUFFERED again: the last one may go";
}

TEST_F(VolumeTest, AlterRefuses) {
  MustCreate(kFile, true);
  EXPECT_EQ(Number(Alter(AlterRequest{Ref(kFile), {}, {}, {}})), 22);
  EXPECT_EQ(Number(Alter(AlterRequest{Ref(kFile), {}, 5000, {}})), 21);
  EXPECT_EQ(Number(Alter(AlterRequest{Ref("$DATA01.TEST.NONE"), true, {}, {}})), 11);
}

TEST_F(VolumeTest, ListsInPages) {
  for (int i = 0; i < 5; ++i) MustCreate("$DATA01.TEST.F" + std::to_string(i), false);
  ListRequest list;
  list.fileset = *ParseFileset("$DATA01.TEST.*");
  list.page_size = 2;
  std::vector<std::string> names;
  do {
    const absl::StatusOr<ListPage> page =
        Await<ListPage>([&](Done<ListPage> done) { volume_->List(list, std::move(done)); });
    ASSERT_TRUE(page.ok());
    EXPECT_LE(page->files.size(), 2U);
    for (const FileInfo& file : page->files) names.push_back(file.name.file);
    list.page_token = page->next_page_token;
  } while (!list.page_token.empty());
  EXPECT_THAT(names, ::testing::ElementsAre("F0", "F1", "F2", "F3", "F4"));
}

}  // namespace
}  // namespace quire::test
