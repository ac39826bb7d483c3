// What LmdbStore does beside the suite of block_store_test.cc: pages, room, failures of the disc.
#include "server/store/lmdb_store.h"

#include <lmdb.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "server/store/store_room.h"
#include "tests/support/test_directory.h"
#include "tests/support/test_random.h"
#include "tests/unit/store/failing_calls.h"
#include "tests/unit/store/store_bodies.h"

namespace quire {
namespace {

using testing::HasSubstr;

constexpr uint32_t kImage = 4080;

class LmdbStoreTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<BlockStore>> TryOpen(
      uint64_t capacity_bytes = kTestCapacityBytes) {
    return OpenLmdbStore({.directory = directory_.path(),
                          .capacity_bytes = capacity_bytes,
                          .reserve_step_bytes = 0});
  }
  void Open(uint64_t capacity_bytes = kTestCapacityBytes) {
    store_ = nullptr;
    absl::StatusOr<std::unique_ptr<BlockStore>> store = TryOpen(capacity_bytes);
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }
  absl::Status Write(FileId file, BlockNumber first, uint32_t count, uint32_t bytes,
                     uint8_t version = 0) {
    TestControlPoint point;
    for (uint32_t i = 0; i < count; ++i) point.Add(file, first + i, bytes, version);
    return store_->Commit(point.Build()).status();
  }
  int64_t UsedPages() { return store_->Statistics().used_bytes / kStorePageBytes; }
  // Overflow pages of the blocks database, by LMDB's own account.
  size_t OverflowPages() {
    store_ = nullptr;
    MDB_env* environment = nullptr;
    MDB_txn* transaction = nullptr;
    MDB_dbi blocks = 0;
    MDB_stat stat{};
    EXPECT_EQ(mdb_env_create(&environment), 0);
    EXPECT_EQ(mdb_env_set_maxdbs(environment, 3), 0);
    EXPECT_EQ(mdb_env_open(environment, directory_.path().c_str(), MDB_RDONLY, 0), 0);
    EXPECT_EQ(mdb_txn_begin(environment, nullptr, MDB_RDONLY, &transaction), 0);
    EXPECT_EQ(mdb_dbi_open(transaction, "blocks", 0, &blocks), 0);
    EXPECT_EQ(mdb_stat(transaction, blocks, &stat), 0);
    EXPECT_EQ(stat.ms_psize, kStorePageBytes);
    mdb_txn_abort(transaction);
    mdb_env_close(environment);
    return stat.ms_overflow_pages;
  }

  TestDirectory directory_;
  std::unique_ptr<BlockStore> store_;
};

// R-B1: an image behind LMDB's page header takes whole pages and wastes none.
TEST_F(LmdbStoreTest, ImageOf4080BytesTakesOnePage) {
  Open();
  ASSERT_TRUE(Write(1, 0, 100, 4080).ok());
  EXPECT_EQ(OverflowPages(), 100U);
}
TEST_F(LmdbStoreTest, ValueOf4081BytesWouldTakeTwoPages) {
  Open();
  ASSERT_TRUE(Write(1, 0, 100, 4081).ok());
  EXPECT_EQ(OverflowPages(), 200U);
}
TEST_F(LmdbStoreTest, ImageOf32752BytesTakesEightPages) {
  Open();
  ASSERT_TRUE(Write(1, 0, 100, 32752).ok());
  EXPECT_EQ(OverflowPages(), 800U);
}
TEST_F(LmdbStoreTest, ImageOf2032BytesTakesOnePageAndSmallerOnesNone) {
  Open();
  ASSERT_TRUE(Write(1, 0, 100, 2032).ok());
  ASSERT_TRUE(Write(2, 0, 100, 1008).ok());
  ASSERT_TRUE(Write(3, 0, 100, 496).ok());
  EXPECT_EQ(OverflowPages(), 100U);
}

TEST_F(LmdbStoreTest, AppendingFillsTheLeaves) {  // R-D14
  Open();
  const int64_t before = UsedPages();
  ASSERT_TRUE(Write(1, 0, 13600, kImage).ok());  // 136 nodes in a full leaf: 100 leaves
  EXPECT_LE(UsedPages() - before, 13600 + 100 + 10);
}

TEST_F(LmdbStoreTest, SecondOpenInTheProcessIsRefused) {  // R-D14
  Open();
  const auto second = TryOpen();
  EXPECT_EQ(NumberOf(second.status()), ErrorNumber::kVolumeDown);
  EXPECT_THAT(Describe(second.status()), HasSubstr("already open"));
  // Another way to write the same directory changes nothing.
  const auto alias =
      OpenLmdbStore({.directory = directory_.path() + "/.", .capacity_bytes = kTestCapacityBytes});
  EXPECT_EQ(NumberOf(alias.status()), ErrorNumber::kVolumeDown);
  store_ = nullptr;
  EXPECT_TRUE(TryOpen().ok());
}

TEST_F(LmdbStoreTest, OpenFailuresAre66OrNameTheCapacity) {
  EXPECT_EQ(NumberOf(TryOpen(4096).status()), ErrorNumber::kBadParameter);
  const auto below_a_file =
      OpenLmdbStore({.directory = "/dev/null/store", .capacity_bytes = kTestCapacityBytes});
  EXPECT_EQ(NumberOf(below_a_file.status()), ErrorNumber::kVolumeDown);
  Open();
  ASSERT_TRUE(Write(1, 0, 10, kImage).ok());
  store_ = nullptr;
  // Both meta pages overwritten: not an LMDB file any more.
  std::FILE* data = std::fopen((directory_.path() + "/data.mdb").c_str(), "r+b");
  ASSERT_NE(data, nullptr);
  const std::string garbage(2 * kStorePageBytes, 'x');
  ASSERT_EQ(std::fwrite(garbage.data(), 1, garbage.size(), data), garbage.size());
  std::fclose(data);
  const auto corrupt = TryOpen();
  EXPECT_EQ(NumberOf(corrupt.status()), ErrorNumber::kVolumeDown) << corrupt.status();
}

TEST_F(LmdbStoreTest, SyncsAreThoseThatHappen) {
  Open();
  const int64_t before = store_->Statistics().syncs;
  const int64_t calls_before = CallsMade(SystemCall::kFdatasync);
  ASSERT_TRUE(Write(1, 0, 10, kImage).ok());
  // One call, and the meta page through a descriptor that syncs by itself.
  EXPECT_EQ(CallsMade(SystemCall::kFdatasync) - calls_before, 1);
  EXPECT_EQ(store_->Statistics().syncs - before, 2);
  ASSERT_TRUE(store_->Commit(ControlPoint()).ok());  // nothing changed: nothing written
  EXPECT_EQ(CallsMade(SystemCall::kFdatasync) - calls_before, 1);
  EXPECT_EQ(store_->Statistics().syncs - before, 2);
}

TEST_F(LmdbStoreTest, HundredThousandBlocksInOneControlPoint) {  // R-D5
  Open();
  constexpr uint32_t kSmall = 496;
  for (uint8_t version : {0, 1}) {
    TestControlPoint point;
    for (BlockNumber block = 0; block < kMaxDirtyBlocks; ++block) {
      point.Add(1, block, block % 2 == 0 ? kImage : kSmall, version);
    }
    ASSERT_TRUE(store_->Commit(point.Build()).ok());
    ASSERT_TRUE(store_->RenewSnapshot().ok());
  }
  for (BlockNumber block = 0; block < kMaxDirtyBlocks; block += 1111) {
    ExpectBlock(*store_, 1, block, block % 2 == 0 ? kImage : kSmall, 1);
  }
  ControlPoint purge;  // R-D12
  purge.purge_slices = {{1, kPurgeSliceBlocks}};
  for (int slice = 1; slice <= 5; ++slice) {
    const auto result = store_->Commit(purge);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->purged_whole.size(), slice == 5 ? 1U : 0U);
  }
}

TEST_F(LmdbStoreTest, RoomIsReservedAheadInSteps) {  // R-D8
  Open();
  ASSERT_TRUE(store_->EnsureRoom(1, kImage).ok());
  struct stat data;
  ASSERT_EQ(stat((directory_.path() + "/data.mdb").c_str(), &data), 0);
  EXPECT_GE(static_cast<uint64_t>(data.st_blocks) * 512, kReserveStepBytes);
  EXPECT_LT(static_cast<uint64_t>(data.st_size), kReserveStepBytes);  // KEEP_SIZE
  EXPECT_LE(LargestFallocateBytes(), int64_t{kReserveStepBytes});

  const int64_t calls = CallsMade(SystemCall::kFallocate);
  for (uint64_t blocks = 1; blocks <= 1000; ++blocks) {
    ASSERT_TRUE(store_->EnsureRoom(blocks, blocks * kImage).ok());
  }
  EXPECT_EQ(CallsMade(SystemCall::kFallocate), calls);
}

TEST_F(LmdbStoreTest, FullDiscIs43AtAdmission) {  // R-D8
  Open();
  {
    FailingCalls full(SystemCall::kFallocate, ENOSPC, 1000);
    const absl::Status refused = store_->EnsureRoom(10, 10 * kImage);
    EXPECT_EQ(NumberOf(refused), ErrorNumber::kNoDiscSpace);
    EXPECT_THAT(Describe(refused), HasSubstr("disc"));
  }
  EXPECT_TRUE(store_->EnsureRoom(10, 10 * kImage).ok());
}

TEST_F(LmdbStoreTest, FileSystemThatCannotReserveIsTakenAsHavingRoom) {
  Open();
  FailingCalls unsupported(SystemCall::kFallocate, EOPNOTSUPP, 1000);
  EXPECT_TRUE(store_->EnsureRoom(10, 10 * kImage).ok());
}

// R-D8: ENOSPC before any sync leaves everything as it was, and the control point can be repeated.
TEST_F(LmdbStoreTest, FullDiscInCommitIs43AndCommitCanBeRepeated) {
  Open();
  ASSERT_TRUE(Write(1, 0, 100, kImage, 0).ok());
  ASSERT_TRUE(store_->RenewSnapshot().ok());
  for (int error_number : {ENOSPC, EDQUOT}) {
    FailingCalls full(SystemCall::kWritev, error_number, 1);
    const absl::Status refused = Write(1, 0, 100, kImage, 1);
    EXPECT_EQ(NumberOf(refused), ErrorNumber::kNoDiscSpace) << refused;
    ASSERT_TRUE(store_->RenewSnapshot().ok());
    ExpectBlock(*store_, 1, 50, kImage, 0);
  }
  ASSERT_TRUE(Write(1, 0, 100, kImage, 1).ok());
  Open();
  ExpectBlock(*store_, 1, 50, kImage, 1);
}

TEST_F(LmdbStoreTest, FailedSyncLatchesTheStore) {  // R-D8
  Open();
  ASSERT_TRUE(Write(1, 0, 10, kImage, 0).ok());
  for (int error_number : {EIO, ENOSPC}) {
    Open();
    {
      // The second failure is the report that our own descriptor gets of the same write-back.
      FailingCalls failing(SystemCall::kFdatasync, error_number, 2);
      EXPECT_EQ(NumberOf(Write(1, 0, 10, kImage, 1)), ErrorNumber::kVolumeDown);
    }
    EXPECT_EQ(NumberOf(Write(1, 0, 10, kImage, 1)), ErrorNumber::kVolumeDown);
    EXPECT_EQ(NumberOf(store_->Commit(ControlPoint()).status()), ErrorNumber::kVolumeDown);
    Open();
    ExpectBlock(*store_, 1, 5, kImage, 0);
  }
}

// The meta page is written after the sync: whether it reached the disc is not known.
TEST_F(LmdbStoreTest, FailedWriteOfTheMetaPageLatchesTheStore) {  // R-D8
  Open();
  ASSERT_TRUE(Write(1, 0, 100, kImage, 0).ok());
  {
    FailingCalls failing(SystemCall::kPwrite, ENOSPC, 1);
    EXPECT_EQ(NumberOf(Write(1, 0, 100, kImage, 1)), ErrorNumber::kVolumeDown);
  }
  EXPECT_EQ(NumberOf(Write(1, 0, 100, kImage, 1)), ErrorNumber::kVolumeDown);
}

TEST_F(LmdbStoreTest, FailedWriteOtherThanForSpaceLatchesTheStore) {  // R-D8
  Open();
  FailingCalls failing(SystemCall::kWritev, EIO, 1);
  EXPECT_EQ(NumberOf(Write(1, 0, 100, kImage)), ErrorNumber::kVolumeDown);
  EXPECT_EQ(NumberOf(Write(1, 0, 100, kImage)), ErrorNumber::kVolumeDown);
}

// R-D8: what EnsureRoom admits, Commit places, on a small volume with blocks of all sizes that are
// written, rewritten and purged until it is full and beyond.
TEST_F(LmdbStoreTest, WhatIsAdmittedIsPlaced) {
  TestRandom random;
  constexpr uint32_t kSizes[] = {496, 1008, 2032, 4080, 32752};
  for (const uint64_t capacity_bytes : {uint64_t{12} << 20, uint64_t{24} << 20}) {
    Open(capacity_bytes);
    int refused = 0;
    int placed = 0;
    for (int round = 0; round < 120; ++round) {
      TestControlPoint point;
      const auto size = random.Below(std::size(kSizes));
      const FileId file = 1 + size + std::size(kSizes) * random.Below(4);
      const uint64_t most = kSizes[size] == 32752 ? 40 : 300;
      std::vector<BlockNumber> numbers;
      const uint64_t count = 1 + random.Below(most);
      const uint64_t first = random.Below(400);
      for (uint64_t i = 0; i < count; ++i) {
        numbers.push_back(
            static_cast<BlockNumber>(random.OneIn(4) ? random.Below(3 * most) : first + i));
      }
      std::sort(numbers.begin(), numbers.end());
      numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
      for (BlockNumber block : numbers) point.Add(file, block, kSizes[size]);
      if (store_->EnsureRoom(numbers.size(), numbers.size() * kSizes[size]).ok()) {
        const auto result = store_->Commit(point.Build());
        ASSERT_TRUE(result.ok()) << "round " << round << ": " << result.status();
        ++placed;
      } else {
        ++refused;
        ControlPoint purge;
        purge.purge_slices = {{1 + random.Below(4 * std::size(kSizes)), 1000}};
        ASSERT_TRUE(store_->Commit(purge).ok());
      }
      ASSERT_TRUE(store_->RenewSnapshot().ok());
    }
    EXPECT_GT(refused, 0) << "the volume was never full";
    EXPECT_GT(placed, 40);
    std::filesystem::remove_all(directory_.path() + "/data.mdb");
  }
}

}  // namespace
}  // namespace quire
