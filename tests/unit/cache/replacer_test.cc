#include "server/cache/replacer.h"

#include <gtest/gtest.h>

#include <array>

namespace quire {
namespace {

constexpr uint64_t kPoolFrames = 100;

Frame FrameOf(BlockUse use) {
  Frame frame;
  frame.use = use;
  return frame;
}

Frame* Take(Replacer& replacer, uint64_t pool_frames = kPoolFrames) {
  Frame* victim = replacer.Victim(pool_frames);
  if (victim != nullptr) replacer.Remove(victim);
  return victim;
}

TEST(Replacer, ScannedGoFirstIndexLast) {
  Replacer replacer;
  Frame index = FrameOf(BlockUse::kIndex);
  Frame data = FrameOf(BlockUse::kData);
  Frame scanned = FrameOf(BlockUse::kScanned);
  replacer.Add(&index);
  replacer.Add(&data);
  replacer.Add(&scanned);
  EXPECT_EQ(replacer.size(), 3u);
  EXPECT_EQ(Take(replacer), &scanned);
  EXPECT_EQ(Take(replacer), &data);
  EXPECT_EQ(Take(replacer), &index);
  EXPECT_EQ(Take(replacer), nullptr);
}

TEST(Replacer, AReferencedFrameGetsAnotherRound) {
  Replacer replacer;
  Frame first = FrameOf(BlockUse::kData);
  Frame second = FrameOf(BlockUse::kData);
  first.referenced = true;
  replacer.Add(&first);
  replacer.Add(&second);
  EXPECT_EQ(Take(replacer), &second);
  EXPECT_FALSE(first.referenced);
  EXPECT_EQ(Take(replacer), &first);
}

TEST(Replacer, PinnedFramesAreNoVictims) {
  Replacer replacer;
  Frame pinned = FrameOf(BlockUse::kScanned);
  Frame index = FrameOf(BlockUse::kIndex);
  pinned.pins = 1;
  replacer.Add(&pinned);
  EXPECT_EQ(replacer.Victim(kPoolFrames), nullptr);
  replacer.Add(&index);
  EXPECT_EQ(replacer.Victim(kPoolFrames), &index);
}

TEST(Replacer, IndexBlocksKeepAtMostHalfThePool) {
  Replacer replacer;
  std::array<Frame, 3> index;
  for (Frame& frame : index) {
    frame.use = BlockUse::kIndex;
    replacer.Add(&frame);
  }
  Frame data = FrameOf(BlockUse::kData);
  replacer.Add(&data);
  EXPECT_EQ(Take(replacer, /*pool_frames=*/4), &index[0]);
  EXPECT_EQ(Take(replacer, /*pool_frames=*/4), &data);
}

TEST(Replacer, ChangeUseMovesAFrame) {
  Replacer replacer;
  Frame a = FrameOf(BlockUse::kScanned);
  Frame b = FrameOf(BlockUse::kData);
  replacer.Add(&a);
  replacer.Add(&b);
  replacer.ChangeUse(&a, BlockUse::kData);
  EXPECT_EQ(Take(replacer), &b);
  EXPECT_EQ(Take(replacer), &a);
}

}  // namespace
}  // namespace quire
