#include "server/cache/frame_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

namespace quire {
namespace {

constexpr uint64_t kChunk = 4096;

// An image's owner, so that the memory knows it as held.
Frame* Holder(Frame& frame, char* image) {
  frame.image = image;
  return &frame;
}

TEST(FrameMemory, TakesChunksAsNeededAndNeverMoreThanItsBytes) {  // R-D5
  FrameMemory memory({.bytes = 3 * kChunk + 100, .chunk_bytes = kChunk}, nullptr);
  FramePool& pool = memory.PoolOf(1008);
  EXPECT_EQ(memory.taken_bytes(), 0u);
  EXPECT_EQ(memory.Room(pool), 12u);
  std::set<char*> images;
  Frame owner;
  for (int i = 0; i < 12; ++i) {
    char* image = memory.TakeFree(pool, &owner);
    ASSERT_NE(image, nullptr);
    std::memset(image, i, pool.stride_bytes);
    images.insert(image);
    EXPECT_EQ(memory.taken_bytes(), (i / 4 + 1) * kChunk);
  }
  EXPECT_EQ(images.size(), 12u);
  EXPECT_EQ(memory.TakeFree(pool, &owner), nullptr);
  EXPECT_EQ(memory.Room(pool), 0u);
  memory.Free(pool, *images.begin());
  EXPECT_EQ(memory.Room(pool), 1u);
  EXPECT_EQ(memory.TakeFree(pool, &owner), *images.begin());
}

TEST(FrameMemory, StrideIsWholeCacheLines) {
  FrameMemory memory({.bytes = uint64_t{64} << 20}, nullptr);
  EXPECT_EQ(memory.PoolOf(4080).stride_bytes, 4096u);
  EXPECT_EQ(memory.PoolOf(4080).images_per_chunk, 512u);  // of 2 MiB
  EXPECT_EQ(memory.PoolOf(32752).images_per_chunk, 64u);
  EXPECT_EQ(memory.PoolOf(496).stride_bytes, 512u);
  Frame owner;
  char* image = memory.TakeFree(memory.PoolOf(4080), &owner);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(image) % (uint64_t{2} << 20), 0u);
}

TEST(FrameMemory, ASmallCacheHasSmallChunks) {
  FrameMemory memory({.bytes = 64 * 512}, nullptr);
  EXPECT_EQ(memory.Room(memory.PoolOf(496)), 64u);
  EXPECT_EQ(memory.Room(memory.PoolOf(32752)), 1u);
  FrameMemory larger({.bytes = 1 << 20}, nullptr);
  Frame owner;
  EXPECT_NE(larger.TakeFree(larger.PoolOf(496), &owner), nullptr);
  EXPECT_EQ(larger.taken_bytes(), 64u << 10);
}

TEST(FrameMemory, TooLittleForOneImage) {
  FrameMemory memory({.bytes = 1024}, nullptr);
  FramePool& pool = memory.PoolOf(4080);
  Frame owner;
  EXPECT_EQ(memory.Room(pool), 0u);
  EXPECT_EQ(memory.TakeFree(pool, &owner), nullptr);
  EXPECT_FALSE(memory.FindIdleChunk(pool, false).has_value());
  FrameMemory none({}, nullptr);
  EXPECT_EQ(none.Room(none.PoolOf(496)), 0u);
}

TEST(FrameMemory, AnIdleChunkGoesToAnotherPool) {
  FrameMemory memory({.bytes = 2 * kChunk, .chunk_bytes = kChunk}, nullptr);
  FramePool& large = memory.PoolOf(4080);
  FramePool& small = memory.PoolOf(1008);
  Frame first;
  Frame second;
  Holder(first, memory.TakeFree(large, &first));
  Holder(second, memory.TakeFree(large, &second));
  EXPECT_FALSE(memory.FindIdleChunk(small, false).has_value());
  EXPECT_EQ(memory.Room(small), 0u);

  memory.MarkIdle(large, first.image);
  EXPECT_EQ(memory.Room(small), 4u);
  EXPECT_EQ(memory.Room(large), 1u);
  const std::optional<uint32_t> chunk = memory.FindIdleChunk(small, false);
  ASSERT_TRUE(chunk.has_value());
  EXPECT_EQ(memory.FramesOf(*chunk), std::vector<Frame*>{&first});
  memory.MarkBusy(large, first.image);
  memory.Free(large, first.image);
  memory.GiveChunk(*chunk, small);
  EXPECT_EQ(large.images, 1u);
  EXPECT_EQ(memory.Room(large), 1u);  // the chunk could come back
  EXPECT_EQ(memory.Room(small), 4u);
  EXPECT_NE(memory.TakeFree(small, &first), nullptr);
  EXPECT_EQ(memory.Room(large), 0u);
  EXPECT_EQ(memory.taken_bytes(), 2 * kChunk);
}

TEST(FrameMemory, OnlyARicherPoolIsAskedForAShare) {
  FrameMemory memory({.bytes = 4 * kChunk, .chunk_bytes = kChunk}, nullptr);
  FramePool& rich = memory.PoolOf(4080);
  FramePool& poor = memory.PoolOf(1008);
  std::vector<Frame> owners(5);
  for (int i = 0; i < 3; ++i) Holder(owners[i], memory.TakeFree(rich, &owners[i]));
  Holder(owners[3], memory.TakeFree(poor, &owners[3]));
  memory.MarkIdle(rich, owners[0].image);
  EXPECT_TRUE(memory.FindIdleChunk(poor, true).has_value());  // 3 and 1 become 2 and 2
  memory.MarkBusy(rich, owners[0].image);
  memory.Free(rich, owners[0].image);
  memory.GiveChunk(*memory.FindIdleChunk(poor, true), poor);
  memory.MarkIdle(rich, owners[1].image);
  EXPECT_FALSE(memory.FindIdleChunk(poor, true).has_value());
  EXPECT_TRUE(memory.FindIdleChunk(poor, false).has_value());
}

TEST(FrameMemoryDeathTest, FreeingTwiceStopsTheProcess) {
  FrameMemory memory({.bytes = kChunk, .chunk_bytes = kChunk}, nullptr);
  FramePool& pool = memory.PoolOf(1008);
  Frame owner;
  char* image = memory.TakeFree(pool, &owner);
  memory.Free(pool, image);
  EXPECT_DEATH(memory.Free(pool, image), "invariant broken");
}

TEST(FrameMemory, CheckedBuildsPoisonWhatIsFreed) {
  FrameMemory memory({.bytes = kChunk, .chunk_bytes = kChunk}, nullptr);
  FramePool& pool = memory.PoolOf(1008);
  Frame owner;
  char* image = memory.TakeFree(pool, &owner);
  std::memset(image, 1, pool.stride_bytes);
  memory.Free(pool, image);
#ifdef QUIRE_CHECKED
  EXPECT_EQ(static_cast<unsigned char>(image[500]), 0xDB);
#else
  EXPECT_EQ(image[500], 1);  // what is shipped spends no time on it
#endif
}

}  // namespace
}  // namespace quire
