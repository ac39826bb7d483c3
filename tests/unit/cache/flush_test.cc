// FrameTable's batch and flush (server/cache/flush.cc).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "server/cache/frame_table.h"

namespace quire {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr uint32_t kImage = 1008;
constexpr uint64_t kChunk = 4096;

class FlushTest : public testing::Test {
 protected:
  ~FlushTest() override { table_.CheckBooks(); }

  Frame* Put(BlockNumber block) {
    Frame* frame = table_.Obtain(kImage);
    if (frame == nullptr) return nullptr;
    table_.Enter(frame, 1, block, BlockUse::kData);
    table_.Unpin(frame);
    return frame;
  }
  void Fill(Frame* frame, char value) {
    ASSERT_TRUE(table_.Change(frame));
    std::memset(frame->image, value, kImage);
  }
  std::vector<BlockNumber> Batch() {
    std::vector<BlockNumber> blocks;
    table_.TakeBatch([&](FileId, BlockNumber block, absl::Span<const char> image) {
      EXPECT_EQ(image.size(), kImage);
      blocks.push_back(block);
    });
    return blocks;
  }

  FrameTable table_{{.bytes = 2 * kChunk, .chunk_bytes = kChunk}};  // 8 images
};

TEST_F(FlushTest, ACommittedFlushCleans) {
  Frame* frame = Put(1);
  Fill(frame, 'a');
  EXPECT_EQ(table_.dirty_blocks(), 1u);
  EXPECT_EQ(table_.dirty_bytes(), kImage);
  FlushList list = table_.BeginFlush();
  ASSERT_EQ(list.blocks.size(), 1u);
  EXPECT_EQ(list.blocks[0].file, 1u);
  EXPECT_EQ(list.blocks[0].block, 1u);
  EXPECT_EQ(list.blocks[0].bytes, kImage);
  EXPECT_EQ(list.bytes, kImage);
  EXPECT_EQ(table_.dirty_blocks(), 1u);  // R-D4: unplaced until the flush has ended
  EXPECT_EQ(table_.Room(kImage), 7u);
  table_.EndFlush(list, true);
  EXPECT_EQ(table_.dirty_blocks(), 0u);
  EXPECT_EQ(table_.dirty_bytes(), 0u);
  EXPECT_EQ(table_.Room(kImage), 8u);
}

TEST_F(FlushTest, AChangeDuringAFlushGoesToACopy) {
  Frame* frame = Put(1);
  Fill(frame, 'a');
  FlushList list = table_.BeginFlush();
  const char* flushed = list.blocks[0].image;
  Fill(frame, 'b');
  EXPECT_NE(frame->image, flushed);
  EXPECT_EQ(std::string(flushed, kImage), std::string(kImage, 'a'));
  EXPECT_EQ(table_.dirty_blocks(), 2u);
  EXPECT_EQ(table_.Room(kImage), 6u);  // R-D5: copies come out of the cache's bytes
  char* copy = frame->image;
  Fill(frame, 'c');
  EXPECT_EQ(frame->image, copy);  // one copy is enough
  table_.EndFlush(list, true);
  EXPECT_EQ(table_.dirty_blocks(), 1u);
  EXPECT_EQ(table_.Room(kImage), 7u);
  list = table_.BeginFlush();
  EXPECT_EQ(std::string(list.blocks[0].image, kImage), std::string(kImage, 'c'));
  table_.EndFlush(list, true);
}

TEST_F(FlushTest, AFailedFlushLeavesTheNewestImagesDirty) {
  Frame* same = Put(1);
  Frame* changed = Put(2);
  Fill(same, 'a');
  Fill(changed, 'a');
  FlushList list = table_.BeginFlush();
  Fill(changed, 'b');
  table_.EndFlush(list, false);
  EXPECT_EQ(table_.dirty_blocks(), 2u);
  list = table_.BeginFlush();
  ASSERT_EQ(list.blocks.size(), 2u);
  for (const BlockWrite& write : list.blocks) {
    EXPECT_EQ(write.image[0], write.block == 1 ? 'a' : 'b');
  }
  table_.EndFlush(list, true);
}

TEST_F(FlushTest, NoRoomForACopyIsAnswered) {
  for (BlockNumber block = 0; block < 8; ++block) Fill(Put(block), 'a');
  const FlushList list = table_.BeginFlush();
  EXPECT_FALSE(table_.Change(table_.Find(1, 0)));
  table_.EndFlush(list, true);
  EXPECT_TRUE(table_.Change(table_.Find(1, 0)));
}

TEST_F(FlushTest, ADiscardedBlockKeepsItsMemoryUntilTheFlushEnds) {
  Frame* plain = Put(1);
  Frame* copied = Put(2);
  Fill(plain, 'a');
  Fill(copied, 'a');
  const FlushList list = table_.BeginFlush();
  Fill(copied, 'b');
  table_.Drop(plain);
  table_.Drop(copied);
  EXPECT_EQ(table_.dirty_blocks(), 2u);
  ASSERT_NE(Put(1), nullptr);  // the number may be used again at once
  EXPECT_EQ(list.blocks[0].image[0], 'a');
  EXPECT_EQ(list.blocks[1].image[0], 'a');
  table_.EndFlush(list, false);
  EXPECT_EQ(table_.dirty_blocks(), 0u);
  EXPECT_EQ(table_.Room(kImage), 8u);
}

TEST_F(FlushTest, ADiscardedBlockThatIsPinnedOutlivesTheFlush) {
  Frame* frame = Put(1);
  Fill(frame, 'a');
  table_.Pin(frame);
  const FlushList list = table_.BeginFlush();
  table_.Drop(frame);
  table_.EndFlush(list, true);
  EXPECT_EQ(frame->image[0], 'a');
  EXPECT_EQ(table_.Room(kImage), 7u);
  table_.Unpin(frame);
  EXPECT_EQ(table_.Room(kImage), 8u);
}

TEST_F(FlushTest, TheBatchHoldsEachBlockOnceInOrderOfFirstChange) {
  for (BlockNumber block : {3, 1, 2}) {
    Frame* frame = Put(block);
    Fill(frame, 'a');
    table_.AddToBatch(frame);
    table_.AddToBatch(table_.Find(1, 3));
  }
  EXPECT_EQ(table_.batch_blocks(), 3u);
  EXPECT_EQ(table_.batch_bytes(), 3 * kImage);
  table_.Drop(table_.Find(1, 1));
  EXPECT_EQ(table_.batch_blocks(), 2u);
  EXPECT_THAT(Batch(), ElementsAre(3, 2));
  EXPECT_EQ(table_.batch_bytes(), 0u);
  EXPECT_THAT(Batch(), IsEmpty());
}

TEST_F(FlushTest, ABlockInTheBatchIsNotEvictedWhenAFlushCleansIt) {
  Frame* frame = Put(1);
  Fill(frame, 'a');
  table_.AddToBatch(frame);
  table_.EndFlush(table_.BeginFlush(), true);
  EXPECT_EQ(table_.Room(kImage), 7u);
  EXPECT_THAT(Batch(), ElementsAre(1));
  EXPECT_EQ(table_.Room(kImage), 8u);
}

using FlushDeathTest = FlushTest;

TEST_F(FlushDeathTest, OneFlushAtATime) {
  const FlushList list = table_.BeginFlush();
  EXPECT_DEATH(table_.BeginFlush(), "invariant broken");
  table_.EndFlush(list, true);
  EXPECT_DEATH(table_.EndFlush(list, true), "invariant broken");
}

}  // namespace
}  // namespace quire
