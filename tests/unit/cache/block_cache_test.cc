#include "server/cache/block_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "tests/unit/cache/block_store_double.h"

namespace quire {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr uint32_t kImage = 496;
constexpr int kFrames = 64;

class BlockCacheTest : public testing::Test {
 protected:
  BlockCacheTest() {
    for (BlockNumber block = 0; block < 1000; ++block) {
      for (FileId file : {1, 2}) {
        store_.images[{file, block}] = std::string(kImage, static_cast<char>(block));
      }
    }
  }
  ~BlockCacheTest() override {
    EXPECT_EQ(calls_.driver_input_calls, calls_.cache_hits + calls_.cache_read_misses);
    EXPECT_EQ(calls_.driver_output_calls,
              calls_.cache_write_hits + calls_.cache_write_cleans + calls_.cache_write_misses);
    cache_.CheckBooks();
    EXPECT_LE(cache_.memory_bytes(), kFrames * 512u);
  }

  Pin Read(BlockNumber block, BlockUse use = BlockUse::kData) {
    absl::StatusOr<Pin> pin = cache_.Read(through_, block, use, calls_);
    EXPECT_TRUE(pin.ok()) << pin.status();
    return pin.ok() ? *std::move(pin) : Pin();
  }
  Pin Fetch(const CachedFile& file, BlockNumber block) {
    absl::StatusOr<Pin> pin = cache_.FetchForWrite(file, block, BlockUse::kData);
    EXPECT_TRUE(pin.ok()) << pin.status();
    return pin.ok() ? *std::move(pin) : Pin();
  }
  Pin Create(const CachedFile& file, BlockNumber block) {
    absl::StatusOr<Pin> pin = cache_.Create(file, block, BlockUse::kData, calls_);
    EXPECT_TRUE(pin.ok()) << pin.status();
    return pin.ok() ? *std::move(pin) : Pin();
  }
  void Fill(const CachedFile& file, Pin& pin, char value) {
    const absl::Span<char> image = cache_.BeginWrite(file, pin, calls_);
    std::fill(image.begin(), image.end(), value);
  }
  void Flush(bool committed = true) {
    FlushList list = cache_.BeginFlush();
    ControlPoint control_point;
    control_point.blocks = list.blocks;
    if (committed) {
      ASSERT_TRUE(store_.Commit(control_point).ok());
    }
    cache_.EndFlush(std::move(list), committed);
  }
  // Hits, cleans and misses of writes since the last call.
  std::vector<int64_t> Writes() {
    const BlockCalls now = calls_;
    std::vector<int64_t> writes = {now.cache_write_hits - seen_.cache_write_hits,
                                   now.cache_write_cleans - seen_.cache_write_cleans,
                                   now.cache_write_misses - seen_.cache_write_misses};
    seen_ = now;
    return writes;
  }
  bool Cached(BlockNumber block) {
    const int reads = store_.reads;
    Read(block, BlockUse::kScanned);
    return store_.reads == reads;
  }

  BlockStoreDouble store_;
  CachedFile through_{.id = 1, .image_bytes = kImage, .write_through = true};
  CachedFile buffered_{.id = 2, .image_bytes = kImage, .write_through = false};
  BlockCalls calls_;
  BlockCalls seen_;
  BlockCache cache_{&store_, {.bytes = kFrames * 512, .chunk_bytes = 4096}};
};

TEST_F(BlockCacheTest, ReadsCountHitsAndMisses) {
  EXPECT_EQ(Read(7).image()[0], 7);
  EXPECT_EQ(calls_.cache_read_misses, 1);
  Read(7);
  EXPECT_EQ(calls_.cache_hits, 1);
  EXPECT_EQ(store_.reads, 1);
  EXPECT_EQ(cache_.blocks_in_use(kImage), 1u);
  EXPECT_EQ(cache_.blocks_in_use(1008), 0u);
}

TEST_F(BlockCacheTest, ABadBlockIs59AndLeavesNothingBehind) {
  const absl::StatusOr<Pin> pin = cache_.Read(through_, 5000, BlockUse::kData, calls_);
  EXPECT_EQ(NumberOf(pin.status()), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(cache_.FetchForWrite(through_, 5000, BlockUse::kData).status()),
            ErrorNumber::kFileBad);
  EXPECT_EQ(cache_.blocks_in_use(kImage), 0u);
  EXPECT_EQ(calls_.driver_input_calls, 1);
}

TEST_F(BlockCacheTest, WriteThroughBlocksAreLogicallyCleanThoughDirty) {  // R-C1
  Pin pin = Read(1);
  Fill(through_, pin, 'a');
  Fill(through_, pin, 'b');
  EXPECT_THAT(Writes(), ElementsAre(0, 2, 0));
  EXPECT_EQ(cache_.dirty_blocks(), 1u);
}

TEST_F(BlockCacheTest, BufferedBlocksAreDirtyUntilTheControlPointEnds) {  // R-C1
  Pin pin = Fetch(buffered_, 1);
  Fill(buffered_, pin, 'a');
  EXPECT_THAT(Writes(), ElementsAre(0, 0, 1));
  Fill(buffered_, pin, 'b');
  EXPECT_THAT(Writes(), ElementsAre(1, 0, 0));

  FlushList list = cache_.BeginFlush();
  Fill(buffered_, pin, 'c');
  EXPECT_THAT(Writes(), ElementsAre(1, 0, 0));
  cache_.EndFlush(std::move(list), true);
  Fill(buffered_, pin, 'd');
  EXPECT_THAT(Writes(), ElementsAre(1, 0, 0));  // changed since the cut

  Flush(false);
  Fill(buffered_, pin, 'e');
  EXPECT_THAT(Writes(), ElementsAre(1, 0, 0));
  Flush();
  Fill(buffered_, pin, 'f');
  EXPECT_THAT(Writes(), ElementsAre(0, 1, 0));
}

TEST_F(BlockCacheTest, ACreatedBlockIsAReadHitThenAWriteHit) {  // R-C1
  Pin pin = Create(through_, 2000);
  EXPECT_EQ(calls_.cache_hits, 1);
  EXPECT_EQ(store_.reads, 0);
  EXPECT_EQ(pin.image()[kImage - 1], 0);
  Fill(through_, pin, 'a');
  EXPECT_THAT(Writes(), ElementsAre(1, 0, 0));
  Fill(through_, pin, 'b');
  EXPECT_THAT(Writes(), ElementsAre(0, 1, 0));
  Pin other = Create(buffered_, 2000);
  Fill(buffered_, other, 'a');
  Fill(buffered_, other, 'b');
  EXPECT_THAT(Writes(), ElementsAre(2, 0, 0));
}

TEST_F(BlockCacheTest, CreateForgetsWhatABlockOfThatNumberHeld) {
  {
    Pin pin = Read(3);
    Fill(through_, pin, 'x');
  }
  Pin pin = Create(through_, 3);
  EXPECT_EQ(pin.image()[0], 0);
  EXPECT_EQ(cache_.batch_blocks(), 0u);
  EXPECT_EQ(cache_.dirty_blocks(), 0u);
  Fill(through_, pin, 'y');
  EXPECT_EQ(cache_.batch_blocks(), 1u);
}

TEST_F(BlockCacheTest, AnAbsentBlockIsAWriteMissOnlyForTheWriteItWasFetchedFor) {  // R-C1
  {
    Pin pin = Fetch(through_, 1);
    Fill(through_, pin, 'a');
    Fill(through_, pin, 'a');
    EXPECT_THAT(Writes(), ElementsAre(0, 1, 1));
  }
  Fetch(through_, 2);  // the write was refused
  Pin pin = Fetch(through_, 2);
  Fill(through_, pin, 'a');
  EXPECT_THAT(Writes(), ElementsAre(0, 1, 0));
  EXPECT_EQ(calls_.driver_input_calls, 0);
}

TEST_F(BlockCacheTest, DirtyBlocksAreNeverEvicted) {  // R-D5
  for (BlockNumber block = 0; block < kFrames; ++block) {
    EXPECT_TRUE(cache_.HasRoomFor(through_, 1));
    Pin pin = Fetch(through_, block);
    Fill(through_, pin, 'd');
  }
  EXPECT_EQ(cache_.dirty_blocks(), static_cast<uint64_t>(kFrames));
  EXPECT_EQ(cache_.dirty_bytes(), uint64_t{kFrames} * kImage);
  EXPECT_FALSE(cache_.HasRoomFor(through_, 1));
  const absl::StatusOr<Pin> pin = cache_.Read(through_, 500, BlockUse::kData, calls_);
  EXPECT_EQ(NumberOf(pin.status()), ErrorNumber::kNoBufferSpace);
  EXPECT_EQ(NumberOf(cache_.Create(through_, 2000, BlockUse::kData, calls_).status()),
            ErrorNumber::kNoBufferSpace);
  cache_.TakeBatch([](FileId, BlockNumber, absl::Span<const char>) {});
  Flush();
  EXPECT_TRUE(cache_.HasRoomFor(through_, kFrames));
  EXPECT_EQ(Read(500).image()[0], static_cast<char>(500));
  EXPECT_EQ(store_.images[std::make_pair(FileId{1}, BlockNumber{9})][0], 'd');
}

TEST_F(BlockCacheTest, ALongScanDoesNotEmptyTheCache) {
  for (BlockNumber block = 0; block < kFrames; ++block) Read(block);
  for (BlockNumber block = 100; block < 1000; ++block) Read(block, BlockUse::kScanned);
  int left = 0;
  for (BlockNumber block = 0; block < kFrames; ++block) left += Cached(block) ? 1 : 0;
  EXPECT_GE(left, kFrames - 2);
}

TEST_F(BlockCacheTest, IndexBlocksOutliveDataBlocks) {
  for (BlockNumber block = 0; block < 20; ++block) Read(block, BlockUse::kIndex);
  for (BlockNumber block = 100; block < 1000; ++block) Read(block);
  for (BlockNumber block = 0; block < 20; ++block) EXPECT_TRUE(Cached(block)) << block;
}

TEST_F(BlockCacheTest, ADataBlockInUseOutlivesOthers) {
  for (BlockNumber block = 100; block < 1000; ++block) {
    Read(3);
    Read(block);
  }
  EXPECT_TRUE(Cached(3));
}

TEST_F(BlockCacheTest, EveryPinSeesTheNewestImageAfterACopy) {
  Pin writer = Read(1);
  Fill(through_, writer, 'a');
  const Pin reader = Read(1);
  FlushList list = cache_.BeginFlush();
  Fill(through_, writer, 'b');
  EXPECT_EQ(reader.image()[0], 'b');
  EXPECT_EQ(list.blocks[0].image[0], 'a');
  EXPECT_EQ(cache_.blocks_in_use(kImage), 2u);
  cache_.EndFlush(std::move(list), true);
  EXPECT_EQ(reader.image()[0], 'b');
  EXPECT_EQ(cache_.blocks_in_use(kImage), 1u);
}

TEST_F(BlockCacheTest, TakeBatchGivesChangedWriteThroughBlocksOnce) {
  Pin second = Read(2);
  Pin first = Read(1);
  Pin other = Fetch(buffered_, 3);
  Fill(through_, second, 'a');
  Fill(buffered_, other, 'b');
  Fill(through_, first, 'c');
  Fill(through_, second, 'd');
  EXPECT_EQ(cache_.batch_blocks(), 2u);
  EXPECT_EQ(cache_.batch_bytes(), 2 * kImage);
  std::vector<std::pair<BlockNumber, char>> batch;
  cache_.TakeBatch([&](FileId file, BlockNumber block, absl::Span<const char> image) {
    EXPECT_EQ(file, 1u);
    batch.emplace_back(block, image[0]);
  });
  EXPECT_THAT(batch, ElementsAre(Pair(2, 'd'), Pair(1, 'c')));
  EXPECT_EQ(cache_.batch_blocks(), 0u);
}

TEST_F(BlockCacheTest, ADiscardedBlockIsNotWritten) {
  {
    Pin pin = Read(1);
    Fill(through_, pin, 'a');
    cache_.Discard(through_, 1);
    EXPECT_EQ(pin.image()[0], 'a');
  }
  cache_.Discard(through_, 999);  // not cached: nothing to do
  EXPECT_EQ(cache_.batch_blocks(), 0u);
  EXPECT_EQ(cache_.dirty_blocks(), 0u);
  EXPECT_EQ(cache_.blocks_in_use(kImage), 0u);
}

TEST_F(BlockCacheTest, DropFileDuringAFlush) {
  Pin pin = Read(1);
  Fill(through_, pin, 'a');
  pin.Release();
  FlushList list = cache_.BeginFlush();
  cache_.DropFile(1);
  EXPECT_EQ(list.blocks[0].image[0], 'a');
  cache_.EndFlush(std::move(list), true);
  EXPECT_EQ(cache_.blocks_in_use(kImage), 0u);
}

TEST_F(BlockCacheTest, PlacePutsAReplayedImage) {
  const std::string image(kImage, 'r');
  EXPECT_EQ(NumberOf(cache_.Place(through_, 1, absl::MakeConstSpan(image).subspan(1))),
            ErrorNumber::kFileBad);
  ASSERT_TRUE(cache_.Place(through_, 1, image).ok());  // absent before
  Pin pin = Read(1);
  EXPECT_EQ(pin.image()[0], 'r');
  EXPECT_EQ(cache_.dirty_blocks(), 1u);
  EXPECT_EQ(cache_.batch_blocks(), 0u);
  EXPECT_EQ(store_.reads, 0);
  Fill(through_, pin, 'x');
  EXPECT_THAT(Writes(), ElementsAre(0, 1, 0));
  FlushList list = cache_.BeginFlush();
  ASSERT_TRUE(cache_.Place(through_, 1, image).ok());  // over one being flushed
  EXPECT_EQ(list.blocks[0].image[0], 'x');
  EXPECT_EQ(pin.image()[0], 'r');
  cache_.EndFlush(std::move(list), true);
  for (BlockNumber block = 2; block <= kFrames; ++block) {
    ASSERT_TRUE(cache_.Place(through_, block, image).ok());
  }
  EXPECT_EQ(NumberOf(cache_.Place(through_, 900, image)), ErrorNumber::kNoBufferSpace);
  Flush();
  EXPECT_TRUE(cache_.Place(through_, 900, image).ok());
}

using BlockCacheDeathTest = BlockCacheTest;

TEST_F(BlockCacheDeathTest, WritingToADiscardedBlockStopsTheProcess) {
  Pin pin = Read(1);
  cache_.Discard(through_, 1);
  EXPECT_DEATH(cache_.BeginWrite(through_, pin, calls_), "invariant broken");
}

TEST_F(BlockCacheDeathTest, WritingWithoutRoomForTheCopyStopsTheProcess) {
  for (BlockNumber block = 0; block < kFrames; ++block) {
    Pin pin = Fetch(through_, block);
    Fill(through_, pin, 'd');
  }
  Pin pin = Fetch(through_, 0);
  FlushList list = cache_.BeginFlush();
  EXPECT_FALSE(cache_.HasRoomFor(through_, 1));
  EXPECT_DEATH(cache_.BeginWrite(through_, pin, calls_), "invariant broken");
  cache_.EndFlush(std::move(list), true);
}

}  // namespace
}  // namespace quire
