#include "server/cache/frame_table.h"

#include <gtest/gtest.h>

#include <vector>

namespace quire {
namespace {

constexpr uint32_t kImage = 1008;
constexpr uint64_t kChunk = 4096;

class FrameTableTest : public testing::Test {
 protected:
  ~FrameTableTest() override { table_.CheckBooks(); }

  // Enters a block and lets go of it.
  Frame* Put(FileId file, BlockNumber block, BlockUse use = BlockUse::kData,
             uint32_t image_bytes = kImage) {
    Frame* frame = table_.Obtain(image_bytes);
    if (frame == nullptr) return nullptr;
    table_.Enter(frame, file, block, use);
    table_.Unpin(frame);
    return frame;
  }

  FrameTable table_{{.bytes = 4 * kChunk, .chunk_bytes = kChunk}};  // 16 images of 1008
};

TEST_F(FrameTableTest, FindsByFileAndBlock) {
  Frame* frame = Put(1, 5);
  EXPECT_EQ(table_.Find(1, 5), frame);
  EXPECT_EQ(table_.Find(2, 5), nullptr);
  EXPECT_EQ(table_.Find(1, 6), nullptr);
}

TEST_F(FrameTableTest, EvictsOnlyWhatRests) {
  for (BlockNumber block = 0; block < 16; ++block) Put(1, block);
  Frame* pinned = table_.Find(1, 0);
  table_.Pin(pinned);
  Frame* changed = table_.Find(1, 1);
  ASSERT_TRUE(table_.Change(changed));
  EXPECT_EQ(table_.Room(kImage), 14u);
  for (BlockNumber block = 100; block < 200; ++block) ASSERT_NE(Put(1, block), nullptr);
  EXPECT_EQ(table_.Find(1, 0), pinned);
  EXPECT_EQ(table_.Find(1, 1), changed);
  EXPECT_EQ(table_.Find(1, 2), nullptr);
  table_.Unpin(pinned);
}

TEST_F(FrameTableTest, ObtainAnswersNullWhenNothingRests) {
  std::vector<Frame*> frames;
  while (Frame* frame = table_.Obtain(kImage)) frames.push_back(frame);
  EXPECT_EQ(frames.size(), 16u);
  EXPECT_EQ(table_.Room(kImage), 0u);
  for (Frame* frame : frames) table_.Return(frame);
  EXPECT_EQ(table_.Room(kImage), 16u);
}

TEST_F(FrameTableTest, APoolTakesChunksOfRestingFrames) {
  for (BlockNumber block = 0; block < 16; ++block) Put(1, block);
  ASSERT_TRUE(table_.Change(table_.Find(1, 0)));  // its chunk stays
  EXPECT_EQ(table_.Room(4080), 3u);
  for (BlockNumber block = 0; block < 3; ++block) {
    Frame* frame = Put(2, block, BlockUse::kData, 4080);
    ASSERT_NE(frame, nullptr);
    ASSERT_TRUE(table_.Change(frame));
  }
  EXPECT_EQ(Put(2, 3, BlockUse::kData, 4080), nullptr);
  EXPECT_NE(table_.Find(1, 0), nullptr);
  EXPECT_EQ(table_.Room(kImage), 3u);
}

TEST_F(FrameTableTest, ABusyPoolGetsAFairShareOfAnIdleOne) {
  for (BlockNumber block = 0; block < 16; ++block) Put(1, block);
  for (BlockNumber block = 0; block < 20; ++block) Put(2, block, BlockUse::kData, 4080);
  uint64_t large = 0;
  for (BlockNumber block = 0; block < 20; ++block) large += table_.Find(2, block) ? 1 : 0;
  EXPECT_EQ(large, 2u);
}

TEST_F(FrameTableTest, ACreatedFrameNotWrittenToGoesWithItsPin) {
  Frame* frame = table_.Obtain(kImage);
  frame->created = true;
  table_.Enter(frame, 1, 1, BlockUse::kData);
  EXPECT_EQ(table_.Find(1, 1), frame);
  table_.Unpin(frame);
  EXPECT_EQ(table_.Find(1, 1), nullptr);
}

TEST_F(FrameTableTest, TouchLiftsTheUseClassButAScanDoesNot) {
  Frame* frame = Put(1, 1, BlockUse::kScanned);
  table_.Touch(frame, BlockUse::kScanned);
  EXPECT_FALSE(frame->referenced);
  table_.Touch(frame, BlockUse::kData);
  EXPECT_TRUE(frame->referenced);
  EXPECT_EQ(frame->use, BlockUse::kData);
  ASSERT_TRUE(table_.Change(frame));
  table_.Touch(frame, BlockUse::kIndex);
  EXPECT_EQ(frame->use, BlockUse::kIndex);
  table_.Touch(frame, BlockUse::kData);
  EXPECT_EQ(frame->use, BlockUse::kIndex);
}

TEST_F(FrameTableTest, ADroppedFrameWaitsForItsPins) {
  Frame* frame = Put(1, 1);
  table_.Pin(frame);
  table_.Pin(frame);
  table_.Drop(frame);
  EXPECT_EQ(table_.Find(1, 1), nullptr);
  EXPECT_EQ(table_.Room(kImage), 15u);
  table_.Unpin(frame);
  EXPECT_EQ(table_.Room(kImage), 15u);
  table_.Unpin(frame);
  EXPECT_EQ(table_.Room(kImage), 16u);
}

TEST_F(FrameTableTest, DropFileTakesOneFileOnly) {
  for (BlockNumber block = 0; block < 5; ++block) Put(1 + block % 2, block);
  ASSERT_TRUE(table_.Change(table_.Find(1, 0)));
  table_.DropFile(1);
  EXPECT_EQ(table_.dirty_blocks(), 0u);
  EXPECT_EQ(table_.Find(1, 0), nullptr);
  EXPECT_EQ(table_.Find(1, 2), nullptr);
  EXPECT_NE(table_.Find(2, 1), nullptr);
  EXPECT_EQ(table_.Room(kImage), 16u);
}

TEST(FrameTableDeathTest, ReleasingTwiceStopsTheProcess) {
  FrameTable table({.bytes = kChunk, .chunk_bytes = kChunk});
  Frame* frame = table.Obtain(kImage);
  table.Enter(frame, 1, 1, BlockUse::kData);
  table.Unpin(frame);
  EXPECT_DEATH(table.Unpin(frame), "invariant broken");
}

}  // namespace
}  // namespace quire
