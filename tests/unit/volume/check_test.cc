// CHECK at one volume: of a control point, beside requests that go on.
#include <atomic>
#include <future>
#include <thread>

#include "tests/unit/volume/volume_fixture.h"

namespace quire::test {
namespace {

constexpr char kFile[] = "$DATA01.TEST.FILE";
constexpr int kRecords = 300;

class CheckTest : public VolumeTest {
 protected:
  void Fill(bool buffered) {
    MustCreate(kFile, buffered);
    for (int key = 0; key < kRecords; ++key) ASSERT_TRUE(Write(kFile, SmallRecord(key)).ok());
  }
  absl::StatusOr<PartitionCheck> Check(const FileReference& file) {
    absl::StatusOr<std::vector<PartitionCheck>> checks = Await<std::vector<PartitionCheck>>(
        [&](Done<std::vector<PartitionCheck>> done) { volume_->Check(file, std::move(done)); });
    if (!checks.ok()) return checks.status();
    EXPECT_EQ(checks->size(), 1u);
    return std::move(checks->front());
  }
};

TEST_F(CheckTest, AWholeFileWithItsFigures) {
  for (const bool buffered : {false, true}) {
    if (buffered) {
      ASSERT_TRUE(Purge(kFile).ok());
    }
    Fill(buffered);
    const absl::StatusOr<PartitionCheck> check = Check(Ref(kFile));
    ASSERT_TRUE(check.ok()) << Describe(check.status());
    EXPECT_EQ(check->status, absl::OkStatus());
    EXPECT_EQ(check->file.ToString(), kFile);
    EXPECT_EQ(check->levels.at(0).records, kRecords + 0u);
    EXPECT_EQ(check->levels.size(), Info(kFile)->index_levels + 1u);
    EXPECT_EQ(check->block_bytes, 512u);
    EXPECT_GE(check->bitmap_blocks, 1u);
    EXPECT_GT(check->lsn, 0u);
  }
}

TEST_F(CheckTest, NamesAsInInfo) {
  EXPECT_EQ(Number(Check(Ref(kFile)).status()), 11);
  EXPECT_EQ(Number(Check(Ref("$DATA02.TEST.FILE")).status()), 14);
  MustCreate(kFile, false);
  FileReference stale = Ref(kFile);
  stale.create_id = Info(kFile)->create_id + 1;
  EXPECT_EQ(Number(Check(stale).status()), 60);
  const absl::StatusOr<PartitionCheck> empty = Check(Ref(kFile));
  ASSERT_TRUE(empty.ok());
  EXPECT_EQ(empty->status, absl::OkStatus());
  EXPECT_EQ(empty->levels.at(0).blocks, 0u);
}

TEST_F(CheckTest, DamageIs59AndNamesTheBlock) {
  Fill(true);
  ASSERT_TRUE(Refresh().ok());
  const FileId id = 1;
  ASSERT_TRUE(volume_.disc->Damage(id, 2, 100));
  const absl::StatusOr<PartitionCheck> check = Check(Ref(kFile));
  ASSERT_TRUE(check.ok()) << Describe(check.status());
  EXPECT_EQ(Number(check->status), 59);
  EXPECT_THAT(Describe(check->status), ::testing::HasSubstr("block 2"));
  EXPECT_GT(check->levels.at(0).records, kRecords / 2u);
}

// Each check sees one control point, whatever is written while it walks.
TEST_F(CheckTest, ChecksBesideWritersSeeAWholeTree) {
  Fill(true);
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int key = kRecords; !stop.load(); ++key) {
      EXPECT_TRUE(Write(kFile, SmallRecord(key % 5000)).ok() || key >= 5000);
      if (key % 3 == 0) static_cast<void>(Delete(kFile, SmallKey(key / 2 % 5000)));
    }
  });
  uint64_t last = 0;
  for (int round = 0; round < 20; ++round) {
    const absl::StatusOr<PartitionCheck> check = Check(Ref(kFile));
    ASSERT_TRUE(check.ok()) << Describe(check.status());
    EXPECT_EQ(check->status, absl::OkStatus());
    EXPECT_GE(check->lsn, last);
    last = check->lsn;
  }
  stop = true;
  writer.join();
}

// Several wait for their turn; a volume that ends answers them all.
TEST_F(CheckTest, ManyAtOnceAndTheEndOfTheVolume) {
  Fill(false);
  std::vector<std::future<absl::Status>> answers;
  for (int i = 0; i < 50; ++i) {
    auto answer = std::make_shared<std::promise<absl::Status>>();
    answers.push_back(answer->get_future());
    volume_->Check(Ref(kFile), [answer](absl::StatusOr<std::vector<PartitionCheck>> checks) {
      answer->set_value(checks.status());
    });
  }
  volume_.CrashAndReopen();
  for (std::future<absl::Status>& answer : answers) {
    const int32_t number = Number(answer.get());
    EXPECT_TRUE(number == 0 || number == 66) << number;
  }
  EXPECT_TRUE(Check(Ref(kFile)).ok());
}

}  // namespace
}  // namespace quire::test
