// The walk goes on behind a fault: what can be read is counted, and the first bad thing is named.
// (That each fault is found: check_test.cc and tests/model/tree_damage_test.cc.)
#include "server/btree/tree_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quire/text.h"
#include "server/btree/block_edit.h"
#include "server/btree/stored_blocks.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

constexpr int kRecords = 400;  // two to a data block of 512 bytes

class TreeWalkTest : public testing::Test {
 protected:
  TreeWalkTest() : test_({512, {0, 20}}) {
    for (int n = 0; n < kRecords; ++n) EXPECT_TRUE(test_.Insert(RecordOf(Key(n), 200)).ok());
    EXPECT_TRUE(test_.Erase(Key(7)).ok());
    test_.Reopen();
    EXPECT_EQ(test_.Check(), absl::OkStatus());
    test_.check_at_end = false;
    EXPECT_GE(test_.state().index_levels, 2u);
  }
  // Long common beginnings make long index entries, and so a tree of some levels.
  static std::string Key(int n) {
    return std::string(16, 'k') + DigitKey(static_cast<uint64_t>(n));
  }
  TreeFindings Walk() { return test_.Walk(range_); }
  BlockNumber FirstChildOf(BlockNumber block) {
    const std::string image = test_.Image(block);
    BlockView view(image);
    return view.Child(0);
  }
  static std::string Message(const TreeFindings& found) {
    return std::string(ToStd(found.status.message()));
  }

  TestTree test_;
  KeyRange range_;
};

TEST_F(TreeWalkTest, FiguresOfAWholeTree) {
  const TreeFindings found = Walk();
  ASSERT_EQ(found.status, absl::OkStatus());
  EXPECT_EQ(found.faults, 0u);
  ASSERT_EQ(found.levels.size(), test_.state().index_levels + 1);
  EXPECT_EQ(found.levels[0].records, kRecords - 1u);
  uint64_t blocks = found.bitmap_blocks + found.unused_blocks;
  for (size_t level = 0; level < found.levels.size(); ++level) {
    EXPECT_EQ(found.levels[level].level, level);
    blocks += found.levels[level].blocks;
    // Each block of a level has its entry in the level above.
    if (level > 0) {
      EXPECT_EQ(found.levels[level].records, found.levels[level - 1].blocks);
    }
  }
  EXPECT_EQ(found.levels.back().blocks, 1u);
  EXPECT_EQ(blocks, test_.state().eof_blocks);
  EXPECT_EQ(found.bitmap_blocks, 1u);
  // Records of 200 bytes with slots of 2, behind a header of 36, in images of 496.
  EXPECT_EQ(found.levels[0].free_bytes,
            found.levels[0].blocks * (496 - 36) - (kRecords - 1u) * (200 + 2));
}

TEST_F(TreeWalkTest, ADamagedDataBlockIsLeftOutAndTheRestCounted) {
  const TreeFindings whole = Walk();
  ASSERT_TRUE(test_.Damage(2, 100));
  const TreeFindings found = Walk();
  EXPECT_THAT(Message(found), HasSubstr("block 2"));
  EXPECT_EQ(found.faults, 1u);
  EXPECT_EQ(found.levels[0].blocks, whole.levels[0].blocks - 1);
  EXPECT_EQ(found.levels[1].blocks, whole.levels[1].blocks);
}

TEST_F(TreeWalkTest, BlocksBelowADamagedIndexBlockAreCountedAllTheSame) {
  const TreeFindings whole = Walk();
  const BlockNumber index = FirstChildOf(test_.state().root);
  ASSERT_TRUE(test_.Damage(index, 100));
  const TreeFindings found = Walk();
  EXPECT_THAT(Message(found), HasSubstr(StrCat("block ", index)));
  EXPECT_EQ(found.faults, 1u);
  EXPECT_EQ(found.levels[0].blocks, whole.levels[0].blocks);
  EXPECT_EQ(found.levels[0].records, whole.levels[0].records);
}

TEST_F(TreeWalkTest, ADamagedRootLeavesEveryOtherBlockCounted) {
  const TreeFindings whole = Walk();
  ASSERT_TRUE(test_.Damage(test_.state().root, 100));
  const TreeFindings found = Walk();
  EXPECT_THAT(Message(found), HasSubstr(StrCat("block ", test_.state().root)));
  for (size_t level = 0; level + 1 < whole.levels.size(); ++level) {
    EXPECT_EQ(found.levels[level].blocks, whole.levels[level].blocks) << level;
  }
  EXPECT_EQ(found.levels.back().blocks, 0u);
}

TEST_F(TreeWalkTest, ADamagedBitmapHidesNothingOfTheTree) {
  const TreeFindings whole = Walk();
  ASSERT_TRUE(test_.Damage(0, 100));
  const TreeFindings found = Walk();
  EXPECT_THAT(Message(found), HasSubstr("block 0"));
  EXPECT_EQ(found.faults, 1u);
  EXPECT_EQ(found.levels[0].records, whole.levels[0].records);
  EXPECT_EQ(found.bitmap_blocks, 0u);
}

TEST_F(TreeWalkTest, KeysOfAnotherPartition) {
  range_ = {"", Key(399)};
  EXPECT_THAT(Message(Walk()), HasSubstr("has a key of another partition"));
  range_ = {Key(0), Key(399) + "x"};
  EXPECT_EQ(Walk().status, absl::OkStatus());
}

// A label that claims any EOF costs no memory by that.
TEST_F(TreeWalkTest, EofFarBeyondTheBlocks) {
  test_.state().eof_blocks = 1u << 24;
  const TreeFindings found = Walk();
  EXPECT_EQ(NumberOf(found.status), ErrorNumber::kFileBad);
  EXPECT_EQ(found.levels[0].records, kRecords - 1u);
}

TEST_F(TreeWalkTest, WhatIsNoDamageEndsTheWalk) {
  class Ending : public BlockSource {
   public:
    absl::Status Read(BlockNumber, uint32_t, absl::Span<char>) override {
      ++reads;
      return MakeError(ErrorNumber::kVolumeDown, "gone");
    }
    int reads = 0;
  } ending;
  const TreeFindings found = WalkTree({.file = 7,
                                       .image_bytes = test_.file().image_bytes,
                                       .key = test_.tree().key_field(),
                                       .range = {},
                                       .state = test_.state()},
                                      ending);
  EXPECT_EQ(NumberOf(found.status), ErrorNumber::kVolumeDown);
  EXPECT_EQ(ending.reads, 1);
}

}  // namespace
}  // namespace quire
