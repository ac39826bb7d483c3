// What every body of BlockStore does alike.
#include "server/store/block_store.h"

#include <atomic>
#include <string>
#include <thread>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"
#include "server/base/block_header.h"
#include "tests/unit/store/store_bodies.h"

namespace quire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr uint32_t kImage = 4080;

class BlockStoreTest : public testing::TestWithParam<std::string> {
 protected:
  BlockStoreTest() : body_(MakeStoreBody(GetParam())), store_(body_->Open(kTestCapacityBytes)) {}

  void Reopen(uint64_t capacity_bytes = kTestCapacityBytes) {
    store_ = nullptr;
    store_ = body_->Open(capacity_bytes);
  }
  CommitResult Commit(const ControlPoint& point) {
    absl::StatusOr<CommitResult> result = store_->Commit(point);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : CommitResult();
  }
  void CommitAndRenew(const ControlPoint& point) {
    Commit(point);
    ASSERT_TRUE(store_->RenewSnapshot().ok());
  }

  std::unique_ptr<StoreBody> body_;
  std::unique_ptr<BlockStore> store_;
};

TEST_P(BlockStoreTest, NewStoreIsEmpty) {
  EXPECT_THAT(*store_->ReadLabels(), IsEmpty());
  EXPECT_EQ(*store_->ReadMeta("next"), std::nullopt);
  EXPECT_EQ(ReadError(*store_, 1, 0, kImage), 59);
}

TEST_P(BlockStoreTest, EveryBlockSizeComesBackSealed) {
  TestControlPoint point;
  const uint32_t sizes[] = {496, 1008, 2032, 4080, 32752};
  for (uint32_t i = 0; i < std::size(sizes); ++i) {
    for (BlockNumber block = 0; block < 5; ++block) point.Add(i + 1, block, sizes[i]);
  }
  CommitAndRenew(point.Build());
  for (uint32_t i = 0; i < std::size(sizes); ++i) {
    for (BlockNumber block = 0; block < 5; ++block) ExpectBlock(*store_, i + 1, block, sizes[i]);
  }
}

TEST_P(BlockStoreTest, BlocksMayComeInAnyOrder) {
  TestControlPoint point;
  for (BlockNumber block : {7U, 0U, 300U, 65536U, 256U, 1U}) {
    point.Add(0x0102030405060708, block, kImage);
    point.Add(2, block, kImage);
  }
  CommitAndRenew(point.Build());
  for (BlockNumber block : {7U, 0U, 300U, 65536U, 256U, 1U}) {
    ExpectBlock(*store_, 0x0102030405060708, block, kImage);
    ExpectBlock(*store_, 2, block, kImage);
  }
}

TEST_P(BlockStoreTest, ReadsSeeTheSnapshotUntilItIsRenewed) {
  TestControlPoint first;
  first.Add(1, 1, kImage, 1);
  first.point().labels[1] = "label 1";
  first.point().meta["lsn"] = "10";
  CommitAndRenew(first.Build());

  TestControlPoint second;
  second.Add(1, 1, kImage, 2);
  second.Add(1, 2, kImage, 2);
  second.point().labels[1] = "label 2";
  second.point().meta["lsn"] = "20";
  Commit(second.Build());
  ExpectBlock(*store_, 1, 1, kImage, 1);
  EXPECT_EQ(ReadError(*store_, 1, 2, kImage), 59);
  EXPECT_THAT(*store_->ReadLabels(), ElementsAre(Pair(1, "label 1")));
  EXPECT_EQ(*store_->ReadMeta("lsn"), "10");

  ASSERT_TRUE(store_->RenewSnapshot().ok());
  ExpectBlock(*store_, 1, 1, kImage, 2);
  ExpectBlock(*store_, 1, 2, kImage, 2);
  EXPECT_THAT(*store_->ReadLabels(), ElementsAre(Pair(1, "label 2")));
  EXPECT_EQ(*store_->ReadMeta("lsn"), "20");
}

TEST_P(BlockStoreTest, EverythingCommittedSurvivesReopen) {
  TestControlPoint point;
  for (BlockNumber block = 0; block < 50; ++block) point.Add(9, block, kImage);
  point.point().labels = {{9, "nine"}, {10, std::string("te\0n", 4)}, {11, ""}};
  point.point().meta = {{"epoch", "3"}, {"answers", std::string(100000, 'x')}};
  Commit(point.Build());
  Reopen();
  for (BlockNumber block = 0; block < 50; ++block) ExpectBlock(*store_, 9, block, kImage);
  EXPECT_THAT(*store_->ReadLabels(),
              ElementsAre(Pair(9, "nine"), Pair(10, std::string("te\0n", 4)), Pair(11, "")));
  EXPECT_EQ(*store_->ReadMeta("answers"), std::string(100000, 'x'));
}

TEST_P(BlockStoreTest, LabelsAreReplacedAndErased) {
  ControlPoint first;
  first.labels = {{1, "one"}, {2, "two"}};
  CommitAndRenew(first);
  ControlPoint second;
  second.labels = {{2, "two again"}};
  second.erased_labels = {1, 77};  // 77 never was: erasing is idempotent
  CommitAndRenew(second);
  EXPECT_THAT(*store_->ReadLabels(), ElementsAre(Pair(2, "two again")));
}

TEST_P(BlockStoreTest, DamageIsError59OfThatBlockAlone) {
  TestControlPoint point;
  for (BlockNumber block = 0; block < 3; ++block) point.Add(5, block, kImage);
  Commit(point.Build());
  for (uint32_t offset : {0U, 21U, 36U, 4079U}) {
    store_ = nullptr;
    body_->Damage(5, 1, offset);
    store_ = body_->Open(kTestCapacityBytes);
    EXPECT_EQ(ReadError(*store_, 5, 1, kImage), 59) << offset;
    ExpectBlock(*store_, 5, 0, kImage);
    ExpectBlock(*store_, 5, 2, kImage);
    store_ = nullptr;
    body_->Damage(5, 1, offset);  // inverted twice: whole again
    store_ = body_->Open(kTestCapacityBytes);
    ExpectBlock(*store_, 5, 1, kImage);
  }
}

TEST_P(BlockStoreTest, Error59NamesFileBlockAndReason) {
  TestControlPoint point;
  point.Add(5, 1, kImage);
  Commit(point.Build());
  store_ = nullptr;
  body_->Damage(5, 1, 100);
  store_ = body_->Open(kTestCapacityBytes);
  std::string image(kImage, '\0');
  const absl::Span<char> span = absl::MakeSpan(image.data(), image.size());
  EXPECT_THAT(Describe(store_->ReadBlock(5, 1, span)),
              HasSubstr("error 59 (file-bad): file id 5, block 1: wrong checksum"));
  EXPECT_THAT(Describe(store_->ReadBlock(5, 2, span)), HasSubstr("not in the store"));
  EXPECT_THAT(Describe(store_->ReadBlock(5, 1, span.subspan(0, 2032))),
              HasSubstr("has 4080 bytes where 2032 belong"));
}

TEST_P(BlockStoreTest, PurgeGoesInSlices) {  // R-D12
  TestControlPoint fill;
  for (BlockNumber block = 0; block < 100; ++block) {
    for (FileId file : {1, 2, 3}) fill.Add(file, block, kImage);
  }
  Commit(fill.Build());
  ControlPoint slice;
  slice.purge_slices = {{2, 60}};
  EXPECT_THAT(Commit(slice).purged_whole, IsEmpty());
  EXPECT_THAT(Commit(slice).purged_whole, ElementsAre(2));
  EXPECT_THAT(Commit(slice).purged_whole, ElementsAre(2));  // nothing left: still whole
  ASSERT_TRUE(store_->RenewSnapshot().ok());
  for (BlockNumber block = 0; block < 100; ++block) {
    ExpectBlock(*store_, 1, block, kImage);
    EXPECT_EQ(ReadError(*store_, 2, block, kImage), 59);
    ExpectBlock(*store_, 3, block, kImage);
  }
}

TEST_P(BlockStoreTest, PurgeOfExactlyTheLastBlocksIsWhole) {  // R-D12
  TestControlPoint fill;
  for (BlockNumber block = 0; block < 10; ++block) fill.Add(7, block, kImage);
  Commit(fill.Build());
  ControlPoint slices;
  slices.purge_slices = {{7, 10}, {8, 5}};
  EXPECT_THAT(Commit(slices).purged_whole, ElementsAre(7, 8));
}

TEST_P(BlockStoreTest, StatisticsCountPhysicalWork) {
  const StoreStatistics before = store_->Statistics();
  TestControlPoint point;
  for (BlockNumber block = 0; block < 20; ++block) point.Add(1, block, kImage);
  CommitAndRenew(point.Build());
  ExpectBlock(*store_, 1, 3, kImage);
  ExpectBlock(*store_, 1, 4, kImage);
  EXPECT_EQ(ReadError(*store_, 1, 99, kImage), 59);
  const StoreStatistics after = store_->Statistics();
  EXPECT_EQ(after.writes - before.writes, 20);
  EXPECT_EQ(after.written_bytes - before.written_bytes, 20 * kImage);
  EXPECT_EQ(after.reads - before.reads, 2);
  EXPECT_EQ(after.read_bytes - before.read_bytes, 2 * kImage);
  EXPECT_GT(after.syncs, before.syncs);
  EXPECT_GE(after.used_bytes - before.used_bytes, 20 * kImage);
  EXPECT_EQ(after.capacity_bytes, int64_t{kTestCapacityBytes});
}

// R-D8: full is 43 at admission and at commit, changes nothing, and ends with more room.
TEST_P(BlockStoreTest, FullVolumeIs43AndGoesOnAfterPurge) {
  constexpr uint64_t kSmall = 8 << 20;
  Reopen(kSmall);
  constexpr uint32_t kSliceBlocks = 100;
  FileId file = 0;
  while (store_->EnsureRoom(kSliceBlocks, kSliceBlocks * kImage).ok()) {
    TestControlPoint fill;
    ++file;
    ASSERT_LT(file, 100U) << "never full";
    for (BlockNumber block = 0; block < kSliceBlocks; ++block) fill.Add(file, block, kImage);
    CommitAndRenew(fill.Build());
  }
  ASSERT_GE(file, 5U);  // the reserve must not eat the volume
  EXPECT_EQ(NumberOf(store_->EnsureRoom(kSliceBlocks, kSliceBlocks * kImage)),
            ErrorNumber::kNoDiscSpace);

  TestControlPoint too_much;  // against the rules: not admitted
  for (BlockNumber block = 0; block < 4000; ++block) too_much.Add(1000, block, kImage);
  too_much.point().labels[1000] = "label";
  const absl::StatusOr<CommitResult> refused = store_->Commit(too_much.Build());
  EXPECT_EQ(NumberOf(refused.status()), ErrorNumber::kNoDiscSpace) << refused.status();
  EXPECT_EQ(RetryOf(refused.status()), Retry::kSafe);
  ASSERT_TRUE(store_->RenewSnapshot().ok());
  EXPECT_THAT(*store_->ReadLabels(), IsEmpty());
  for (FileId old = 1; old <= file; ++old) ExpectBlock(*store_, old, 99, kImage);

  // Purging needs no admission. What is freed can be used two control points later.
  for (FileId old = 1; old <= 3; ++old) {
    ControlPoint purge;
    purge.purge_slices = {{old, 1000}};
    CommitAndRenew(purge);
  }
  EXPECT_TRUE(store_->EnsureRoom(kSliceBlocks, kSliceBlocks * kImage).ok());
  TestControlPoint more;
  for (BlockNumber block = 0; block < kSliceBlocks; ++block) more.Add(500, block, kImage);
  CommitAndRenew(more.Build());
  ExpectBlock(*store_, 500, 99, kImage);

  Reopen(4 * kSmall);
  EXPECT_TRUE(store_->EnsureRoom(1000, 1000 * kImage).ok());
  ExpectBlock(*store_, file, 99, kImage);
}

TEST_P(BlockStoreTest, BlocksAreReadWhileAControlPointIsWritten) {
  constexpr BlockNumber kBlocks = 200;
  constexpr uint8_t kVersions = 20;
  TestControlPoint first;
  for (BlockNumber block = 0; block < kBlocks; ++block) first.Add(1, block, kImage, 0);
  CommitAndRenew(first.Build());

  std::atomic<int> committed = 0;
  std::thread writer([&] {
    for (uint8_t version = 1; version <= kVersions; ++version) {
      TestControlPoint next;
      for (BlockNumber block = 0; block < kBlocks; ++block) next.Add(1, block, kImage, version);
      EXPECT_TRUE(store_->Commit(next.Build()).ok());
      committed.store(version);
    }
  });
  // Within one snapshot all blocks are of one version, and never of an older one than before.
  int seen = 0;
  while (seen < kVersions) {
    const int at_least = committed.load();
    ASSERT_TRUE(store_->RenewSnapshot().ok());
    EXPECT_TRUE(store_->EnsureRoom(kBlocks, kBlocks * kImage).ok());
    std::string image(kImage, '\0');
    ASSERT_TRUE(store_->ReadBlock(1, 0, absl::MakeSpan(image.data(), kImage)).ok());
    int version = 0;
    while (MakeImage(1, 0, kImage, static_cast<uint8_t>(version))[kBlockHeaderBytes] !=
           image[kBlockHeaderBytes]) {
      ++version;
    }
    EXPECT_GE(version, at_least);
    EXPECT_GE(version, seen);
    seen = version;
    for (BlockNumber block = 0; block < kBlocks; block += 7) {
      ExpectBlock(*store_, 1, block, kImage, static_cast<uint8_t>(version));
    }
    if (testing::Test::HasFailure()) break;
  }
  writer.join();
}

// What OpenReader gives stays as it was, on a thread of its own, while control points go on.
TEST_P(BlockStoreTest, AReaderKeepsItsControlPoint) {
  TestControlPoint first;
  for (BlockNumber block = 0; block < 50; ++block) first.Add(1, block, kImage, 1);
  first.point().labels[1] = "label 1";
  first.point().meta["next"] = "1";
  Commit(first.Build());  // no RenewSnapshot: a reader sees what is committed
  std::unique_ptr<BlockReader> reader = *store_->OpenReader();
  std::atomic<bool> stop = false;
  std::thread walker([&] {
    while (!stop.load()) {
      for (BlockNumber block = 0; block < 50; ++block) ExpectBlock(*reader, 1, block, kImage, 1);
      EXPECT_EQ((*reader->ReadLabels())[1], "label 1");
      EXPECT_EQ(*reader->ReadMeta("next"), "1");
    }
  });
  for (uint8_t version = 2; version < 12; ++version) {
    TestControlPoint next;
    for (BlockNumber block = 0; block < 50; ++block) next.Add(1, block, kImage, version);
    next.point().labels[1] = "another";
    next.point().meta["next"] = "2";
    CommitAndRenew(next.Build());
  }
  ControlPoint purge;
  purge.purge_slices = {{1, 100}};
  purge.erased_labels = {1};
  CommitAndRenew(purge);
  stop = true;
  walker.join();
  EXPECT_EQ(ReadError(*reader, 1, 50, kImage), 59);
  reader = nullptr;
  EXPECT_THAT(*(*store_->OpenReader())->ReadLabels(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Bodies, BlockStoreTest, testing::Values("lmdb", "memory", "faults"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace quire
