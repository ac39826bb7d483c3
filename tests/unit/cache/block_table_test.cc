#include "server/cache/block_table.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/test_random.h"

namespace quire::test {
namespace {

class BlockTableTest : public testing::Test {
 protected:
  Frame* FrameOf(size_t i, FileId file, BlockNumber block) {
    frames_[i].file = file;
    frames_[i].block = block;
    return &frames_[i];
  }

  std::vector<Frame> frames_{std::vector<Frame>(4096)};
};

TEST_F(BlockTableTest, FindsByFileAndBlock) {
  BlockTable table(frames_.data(), 10);
  Frame* const frame = FrameOf(0, 1, 5);
  EXPECT_TRUE(table.Insert(frame));
  EXPECT_FALSE(table.Insert(FrameOf(1, 1, 5)));
  EXPECT_EQ(table.Find(1, 5), frame);
  EXPECT_EQ(table.Find(2, 5), nullptr);
  EXPECT_EQ(table.Find(1, 6), nullptr);
  table.Erase(frame);
  EXPECT_EQ(table.Find(1, 5), nullptr);
  EXPECT_EQ(table.size(), 0U);
}

// Against a map: neighbours and strangers, so that places are taken by others, and erased before
// those that had to go on; and more than the table was made for.
TEST_F(BlockTableTest, KeepsEveryBlockThroughErasingAndGrowing) {
  TestRandom random;
  BlockTable table(frames_.data(), 1);
  std::map<std::pair<FileId, BlockNumber>, Frame*> blocks;
  std::vector<size_t> unused;
  for (size_t i = 0; i < frames_.size(); ++i) unused.push_back(i);
  for (int step = 0; step < 60000; ++step) {
    const FileId file = 1 + random.Below(3);
    const auto block = static_cast<BlockNumber>(random.Below(1500));
    const auto known = blocks.find({file, block});
    ASSERT_EQ(table.Find(file, block), known == blocks.end() ? nullptr : known->second);
    if (known != blocks.end()) {
      table.Erase(known->second);
      unused.push_back(static_cast<size_t>(known->second - frames_.data()));
      blocks.erase(known);
    } else if (!unused.empty()) {
      Frame* const frame = FrameOf(unused.back(), file, block);
      unused.pop_back();
      ASSERT_TRUE(table.Insert(frame));
      blocks[{file, block}] = frame;
    }
    ASSERT_EQ(table.size(), blocks.size());
  }
  std::set<Frame*> seen;
  table.ForEach([&](Frame* frame) { EXPECT_TRUE(seen.insert(frame).second); });
  EXPECT_EQ(seen.size(), blocks.size());
  for (const auto& [key, frame] : blocks) EXPECT_EQ(table.Find(key.first, key.second), frame);
}

}  // namespace
}  // namespace quire::test
