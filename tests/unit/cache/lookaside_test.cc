// Look-aside in the cache: index blocks that stay, data blocks that are kept or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/cache/block_cache.h"
#include "tests/unit/cache/block_store_double.h"

namespace quire {
namespace {

constexpr uint32_t kImage = 496;
constexpr uint64_t kFrames = 64;
constexpr uint64_t kFrozenFrames = 32;
constexpr BlockNumber kBlocks = 1000;

class LookasideTest : public testing::Test {
 protected:
  explicit LookasideTest(KeepData keeping = KeepData::kMeasured) {
    for (BlockNumber block = 0; block < kBlocks; ++block) {
      for (FileId file : {1, 2}) {
        store_.images[{file, block}] = std::string(kImage, static_cast<char>(block));
      }
    }
    CacheOptions options{kFrames * 512, 4096};
    options.frozen_bytes = kFrozenFrames * 512;
    options.data_keeping = keeping;
    options.nanoseconds = [this] { return now_ns_; };
    options.before_cached_use = [this](absl::Span<const char>) { now_ns_ += cached_cost_ns_; };
    cache_ = std::make_unique<BlockCache>(&store_, options);
  }
  ~LookasideTest() override {
    cache_->CheckBooks();
    EXPECT_LE(cache_->memory_bytes(), (kFrames + kFrozenFrames) * 512);
    EXPECT_EQ(calls_.driver_input_calls, calls_.cache_hits + calls_.cache_read_misses);
  }

  Pin Read(const CachedFile& file, BlockNumber block, BlockUse use) {
    absl::StatusOr<Pin> pin = cache_->Read(file, block, use, calls_);
    EXPECT_TRUE(pin.ok()) << pin.status();
    return pin.ok() ? *std::move(pin) : Pin();
  }
  // Whether the block was in the cache.
  bool Hits(const CachedFile& file, BlockNumber block, BlockUse use) {
    const int64_t hits = calls_.cache_hits;
    EXPECT_EQ(Read(file, block, use).image()[0],
              store_.images.at(std::make_pair(file.id, block))[0]);
    return calls_.cache_hits > hits;
  }
  void ReadMany(const CachedFile& file, BlockNumber first, BlockNumber count, BlockUse use) {
    for (BlockNumber block = first; block < first + count; ++block) Hits(file, block, use);
  }
  uint64_t Frozen() { return cache_->LookasideSoFar().frozen_blocks; }
  void Fill(const CachedFile& file, BlockNumber block, char value) {
    absl::StatusOr<Pin> pin = cache_->FetchForWrite(file, block, BlockUse::kIndex);
    ASSERT_TRUE(pin.ok());
    const absl::Span<char> image = cache_->BeginWrite(file, *pin, calls_);
    std::fill(image.begin(), image.end(), value);
  }
  FlushList BeginFlush() {
    cache_->TakeBatch([](FileId, BlockNumber, absl::Span<const char>) {});
    return cache_->BeginFlush();
  }
  void EndFlush(FlushList list) {
    ControlPoint control_point;
    control_point.blocks = list.blocks;
    ASSERT_TRUE(store_.Commit(control_point).ok());
    cache_->EndFlush(std::move(list), true);
    cache_->CheckBooks();
  }

  int64_t now_ns_ = 0;
  int64_t cached_cost_ns_ = 0;
  BlockStoreDouble store_;
  CachedFile frozen_{1, kImage, true, Lookaside::kFreeze};
  CachedFile other_{2, kImage, true, Lookaside::kNoFreeze};
  BlockCalls calls_;
  std::unique_ptr<BlockCache> cache_;
};

TEST_F(LookasideTest, IndexBlocksOnceReadStay) {
  ReadMany(frozen_, 0, 20, BlockUse::kIndex);
  EXPECT_EQ(Frozen(), 20u);
  ReadMany(other_, 0, kBlocks, BlockUse::kIndex);
  ReadMany(frozen_, 100, 900, BlockUse::kData);
  for (BlockNumber block = 0; block < 20; ++block) {
    EXPECT_TRUE(Hits(frozen_, block, BlockUse::kIndex));
  }
  EXPECT_EQ(cache_->LookasideSoFar().index_reads, 20 + kBlocks);
}

// R-D5: what does not fit is replaced as before, and the memory is bounded.
TEST_F(LookasideTest, R_D5_WhatDoesNotFitIsReplacedAsOthers) {
  for (int round = 0; round < 3; ++round) ReadMany(frozen_, 0, 500, BlockUse::kIndex);
  EXPECT_EQ(Frozen(), kFrozenFrames);
  EXPECT_EQ(cache_->LookasideSoFar().frozen_bytes, kFrozenFrames * 512);
  for (BlockNumber block = 0; block < kFrozenFrames; ++block) {
    EXPECT_TRUE(Hits(frozen_, block, BlockUse::kIndex)) << block;
  }
  EXPECT_FALSE(Hits(frozen_, 100, BlockUse::kIndex));
}

TEST_F(LookasideTest, BlocksCachedBeforeAreFrozenWhenReadAgain) {
  CachedFile file = frozen_;
  file.lookaside = Lookaside::kOff;
  ReadMany(file, 0, 10, BlockUse::kIndex);
  EXPECT_EQ(Frozen(), 0u);
  file.lookaside = Lookaside::kFreeze;
  {
    const Pin held = Read(file, 3, BlockUse::kIndex);
    EXPECT_EQ(Frozen(), 0u);  // while pinned its bytes stay where they are
  }
  EXPECT_EQ(Frozen(), 1u);
  const int reads = store_.reads;
  ReadMany(file, 0, 10, BlockUse::kIndex);
  EXPECT_EQ(Frozen(), 10u);
  EXPECT_EQ(store_.reads, reads);
}

TEST_F(LookasideTest, UnfreezeBringsThemUnderReplacement) {
  ReadMany(frozen_, 0, 20, BlockUse::kIndex);
  Pin held = Read(frozen_, 5, BlockUse::kIndex);
  Fill(frozen_, 7, 'x');
  frozen_.lookaside = Lookaside::kNoFreeze;
  cache_->Unfreeze(frozen_.id);
  EXPECT_EQ(Frozen(), 2u);  // the pinned one and the dirty one
  cache_->CheckBooks();
  held.Release();
  EXPECT_EQ(Frozen(), 1u);
  EndFlush(BeginFlush());
  EXPECT_EQ(Frozen(), 0u);
  EXPECT_TRUE(Hits(frozen_, 5, BlockUse::kIndex)) << "they are still cached";
  EXPECT_TRUE(Hits(frozen_, 7, BlockUse::kIndex));
  ReadMany(other_, 0, kBlocks, BlockUse::kIndex);
  EXPECT_FALSE(Hits(frozen_, 5, BlockUse::kIndex));
}

TEST_F(LookasideTest, PurgeFreesTheFrozenMemory) {
  ReadMany(frozen_, 0, kFrozenFrames, BlockUse::kIndex);
  EXPECT_EQ(Frozen(), kFrozenFrames);
  cache_->DropFile(frozen_.id);
  EXPECT_EQ(Frozen(), 0u);
  other_.lookaside = Lookaside::kFreeze;
  ReadMany(other_, 0, kFrozenFrames, BlockUse::kIndex);
  EXPECT_EQ(Frozen(), kFrozenFrames);
}

TEST_F(LookasideTest, MemoryServesBlocksOfAnotherSizeWhenItIsFree) {
  ReadMany(frozen_, 0, kFrozenFrames, BlockUse::kIndex);
  cache_->DropFile(frozen_.id);
  CachedFile large{3, 1008, true, Lookaside::kFreeze};
  for (BlockNumber block = 0; block < 40; ++block) {
    store_.images[{3, block}] = std::string(1008, static_cast<char>(block));
  }
  ReadMany(large, 0, 40, BlockUse::kIndex);
  EXPECT_EQ(Frozen(), 16u);  // 1,024 bytes each
}

// A copy made for the flush lies elsewhere; the block comes home when the flush has ended.
TEST_F(LookasideTest, ABlockChangedDuringAFlushComesBack) {
  ReadMany(frozen_, 0, 4, BlockUse::kIndex);
  Fill(frozen_, 2, 'a');
  FlushList list = BeginFlush();
  Fill(frozen_, 2, 'b');
  EXPECT_EQ(list.blocks.front().image[0], 'a');
  cache_->CheckBooks();
  EndFlush(std::move(list));
  EXPECT_EQ(Frozen(), 3u);
  EndFlush(BeginFlush());
  EXPECT_EQ(Frozen(), 4u);
  const int reads = store_.reads;
  ReadMany(other_, 0, kBlocks, BlockUse::kIndex);
  EXPECT_TRUE(Hits(frozen_, 2, BlockUse::kIndex));
  EXPECT_EQ(store_.reads, reads + static_cast<int>(kBlocks));
  EXPECT_EQ(Read(frozen_, 2, BlockUse::kIndex).image()[0], 'b');
}

// Blocks read once, also record by record, do not wash out those read again and again.
TEST_F(LookasideTest, ReadingTheWholeFileLeavesWhatIsUsedOften) {
  constexpr BlockNumber kHot = 30;
  for (int round = 0; round < 3; ++round) {
    ReadMany(other_, 0, kHot, BlockUse::kData);
    ReadMany(other_, kBlocks - 20, 20, BlockUse::kData);
  }
  for (BlockNumber block = kHot; block < kBlocks; ++block) {
    for (int record = 0; record < 4; ++record) Hits(other_, block, BlockUse::kData);
  }
  BlockNumber found = 0;
  for (BlockNumber block = 0; block < kHot; ++block) {
    found += Hits(other_, block, BlockUse::kData) ? 1 : 0;
  }
  EXPECT_GE(found, kHot - 2);  // a few may have been let go for measuring
}

// The file without LOOKASIDE beside it: the plain cache.
TEST_F(LookasideTest, OffIsWashedOutAndMeasuresNothing) {
  other_.lookaside = Lookaside::kOff;
  for (int round = 0; round < 3; ++round) ReadMany(other_, 0, 30, BlockUse::kData);
  ReadMany(other_, 30, kBlocks - 30, BlockUse::kData);
  EXPECT_FALSE(Hits(other_, 0, BlockUse::kData));
  const LookasideFigures figures = cache_->LookasideSoFar();
  EXPECT_EQ(figures.kept + figures.bypassed + figures.cached_samples + figures.store_samples, 0);
  EXPECT_EQ(now_ns_, 0);
}

TEST_F(LookasideTest, DataBlocksThatAreDearToHaveAreNotKept) {
  store_.read_cost = [this] { now_ns_ += 1000; };
  cached_cost_ns_ = 2000;
  for (int fetch = 0; fetch < 20000; ++fetch) {
    Hits(other_, static_cast<BlockNumber>(fetch * 7919 % 50), BlockUse::kData);
  }
  LookasideFigures figures = cache_->LookasideSoFar();
  EXPECT_EQ(figures.decisions, 1);
  EXPECT_GT(figures.bypassed, 10000);
  EXPECT_LT(cache_->blocks_in_use(kImage), 5u);
  EXPECT_FALSE(Hits(other_, 1, BlockUse::kData));
  EXPECT_FALSE(Hits(other_, 1, BlockUse::kData));
  // A change is kept as everywhere.
  Fill(other_, 1, 'z');
  EXPECT_EQ(cache_->dirty_blocks(), 1u);
  EXPECT_EQ(Read(other_, 1, BlockUse::kData).image()[0], 'z');
  EndFlush(BeginFlush());
  // When it pays again it is noticed, after as much time as the finding out had cost a hundredfold.
  cached_cost_ns_ = 10;
  for (int fetch = 0; fetch < 20000000 && cache_->LookasideSoFar().decisions < 2; ++fetch) {
    Read(other_, static_cast<BlockNumber>(fetch % 50), BlockUse::kData);
  }
  for (int fetch = 0; fetch < 20000; ++fetch) {
    Read(other_, static_cast<BlockNumber>(fetch % 50), BlockUse::kData);
  }
  figures = cache_->LookasideSoFar();
  EXPECT_EQ(figures.decisions, 2);
  EXPECT_TRUE(Hits(other_, 1, BlockUse::kData));
}

class NeverKeptTest : public LookasideTest {
 protected:
  NeverKeptTest() : LookasideTest(KeepData::kNever) {}
};

TEST_F(NeverKeptTest, ABlockLeavesWithItsLastPin) {
  {
    const Pin one = Read(other_, 1, BlockUse::kData);
    EXPECT_TRUE(Hits(other_, 1, BlockUse::kData));
    EXPECT_EQ(cache_->blocks_in_use(kImage), 1u);
  }
  EXPECT_EQ(cache_->blocks_in_use(kImage), 0u);
  EXPECT_TRUE(!Hits(other_, 1, BlockUse::kScanned));
  EXPECT_FALSE(Hits(other_, 1, BlockUse::kScanned));
  EXPECT_FALSE(Hits(other_, 1, BlockUse::kIndex));
  EXPECT_TRUE(Hits(other_, 1, BlockUse::kIndex));
}

TEST_F(NeverKeptTest, AChangedBlockStaysUntilItIsPlaced) {
  Pin pin = Read(other_, 1, BlockUse::kData);
  cache_->BeginWrite(other_, pin, calls_)[0] = 'c';
  pin.Release();
  EXPECT_EQ(cache_->dirty_blocks(), 1u);
  EXPECT_EQ(Read(other_, 1, BlockUse::kData).image()[0], 'c');
  EndFlush(BeginFlush());
  EXPECT_EQ(store_.images[std::make_pair(FileId{2}, BlockNumber{1})][0], 'c');
}

}  // namespace
}  // namespace quire
