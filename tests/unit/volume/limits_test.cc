// Bounded memory, bounded space, one server per directory (R-D5, R-D8).

#include "tests/support/test_directory.h"
#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";

TEST_F(VolumeTest, DirtyLimitIsKeptAndWaitsAreCounted) {  // R-D5
  volume_.options().dirty_limit_bytes = 64 << 10;
  volume_.options().control_point_interval_ms = 3600 * 1000;
  volume_.Reopen();
  MustCreate(kFile, true);
  KeptSession session(volume_.volume(), OpenRequest{Ref(kFile)});
  ASSERT_TRUE(session.opened().ok());
  const std::string text(90, 'x');
  size_t sent = 0;
  for (int key = 0; key < 4000;) {
    OperationBatch batch;
    for (int i = 0; i < 50; ++i, ++key) {
      const std::string record = SmallRecord(key, text);
      batch.Add(Operation{OperationKind::kWrite, {}, false, false, {}, record});
    }
    session.SubmitNowait(std::move(batch));
    if (++sent > 20) session.WaitForResults(sent - 20);
  }
  for (const BatchResult& result : session.WaitForResults(sent)) {
    for (const OperationResult& one : result.results) ASSERT_TRUE(one.status.ok());
  }
  const EntityRecord disc = Snapshot().records[0];
  EXPECT_GT(disc.Value("CONTROL-POINTS"), 3);
  EXPECT_LE(disc.Value("DIRTY-BLOCKS") * 496, (64 << 10) + 200 * 496);
  EXPECT_TRUE(session.Close().ok());
  EXPECT_EQ(ScanAll(volume_.volume(), ScanRequest{Ref(kFile)})->size(), 4000U);
}

TEST_F(VolumeTest, AFullDiscAtTheDirtyLimitIsTriedAgainByTheClock) {  // R-D8
  volume_.options().dirty_limit_bytes = 32 << 10;
  volume_.options().control_point_interval_ms = 50;
  volume_.Reopen();
  MustCreate(kFile, true);
  for (int k = 1; k <= 3; ++k) {
    volume_.faults->FailAt(StoreCall::kCommit, k, MakeError(ErrorNumber::kNoDiscSpace, "full"));
  }
  const int before = volume_.faults->Calls(StoreCall::kCommit);
  const std::string text(90, 'x');
  for (int key = 0; key < 500; ++key) ASSERT_TRUE(Write(kFile, SmallRecord(key, text)).ok());
  EXPECT_GT(volume_.faults->Calls(StoreCall::kCommit) - before, 3);
  EXPECT_TRUE(volume_->Health().ok());
}

TEST_F(VolumeTest, FullVolumeRefusesWithoutChangingAndDeletesGoOn) {  // R-D8
  volume_.Close();
  volume_.store_bytes = 1 << 20;
  volume_.disc = std::make_shared<MemoryDisc>();
  volume_.medium = std::make_shared<SimulatedMedium>();
  volume_.Open();
  MustCreate(kFile, true);
  const std::string text(90, 'x');
  absl::Status status;
  int written = 0;
  for (; written < 9999; ++written) {
    status = Write(kFile, SmallRecord(written, text));
    if (!status.ok()) break;
  }
  ASSERT_EQ(Number(status), 43) << Describe(status);
  EXPECT_GT(written, 1000);
  EXPECT_EQ(Info(kFile)->record_count, static_cast<uint64_t>(written));
  EXPECT_TRUE(Read(kFile, SmallKey(0)).ok());
  EXPECT_TRUE(Delete(kFile, SmallKey(0)).ok());
  EXPECT_TRUE(Refresh().ok());
  volume_.Reopen();
  EXPECT_EQ(Info(kFile)->record_count, static_cast<uint64_t>(written - 1));
}

TEST_F(VolumeTest, ExtentsUsedUpAre45) {
  CreateRequest create = SmallFile(kFile, true);
  create.attributes.extents = {1, 1};  // 16 extents of 2,048 bytes: 64 blocks
  ASSERT_TRUE(Create(create).ok());
  absl::Status status;
  int written = 0;
  for (; written < 2000 && status.ok(); ++written) {
    status = Write(kFile, SmallRecord(written, std::string(90, 'x')));
  }
  EXPECT_EQ(Number(status), 45) << Describe(status);
  EXPECT_EQ(Info(kFile)->extents_allocated, 16U);
  ASSERT_TRUE(Alter(AlterRequest{Ref(kFile), {}, 20, {}}).ok());
  EXPECT_TRUE(Write(kFile, SmallRecord(5000)).ok());
}

TEST(VolumeDirectory, HasOneServerAndOneName) {
  TestDirectory directory;
  VolumeOptions options;
  options.name = "$DATA01";
  options.directory = directory.path();
  options.capacity_bytes = 1 << 30;
  options.trail_segment_bytes = 1 << 20;
  options.cache_bytes = 8 << 20;
  {
    TestVolume first(options);
    const absl::StatusOr<std::unique_ptr<Volume>> second = Volume::Open(options);
    EXPECT_EQ(Number(second.status()), 12) << Describe(second.status());
    KeptSession session(first.volume(), OpenRequest{});
    EXPECT_EQ(Number(session.opened().status()), 14);
  }
  options.name = "$DATA02";
  EXPECT_EQ(Number(Volume::Open(options).status()), 22);
}

TEST(VolumeDirectory, DataOutlivesTheServer) {
  TestDirectory directory;
  VolumeOptions options;
  options.directory = directory.path();
  options.capacity_bytes = 1 << 30;
  options.trail_segment_bytes = 1 << 20;
  options.cache_bytes = 8 << 20;
  TestVolume volume(options);
  const CreateRequest create = SmallFile(kFile, false);
  ASSERT_TRUE(
      Await<FileInfo>([&](Done<FileInfo> done) { volume->Create(create, std::move(done)); }).ok());
  const FileReference file{create.name, 0, 0, "test"};
  const std::string record = SmallRecord(1);
  ASSERT_TRUE(
      RunOne(volume.volume(), file, Operation{OperationKind::kWrite, {}, false, false, {}, record})
          .ok());
  volume->Crash();
  volume.Close();
  volume.Open();
  EXPECT_EQ(
      *RunOne(volume.volume(), file, Operation{OperationKind::kRead, {}, false, false, "0001", {}}),
      record);
}

TEST(VolumeOptionsCheck, OutOfRangeIsRefused) {
  VolumeOptions options;
  options.name = "DATA01";
  EXPECT_EQ(Number(Volume::Open(options).status()), 13);
  options.name = "$DATA01";
  options.cache_bytes = 1;
  EXPECT_EQ(Number(Volume::Open(options).status()), 22);
}

}  // namespace
}  // namespace quire::test
