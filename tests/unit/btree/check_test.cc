// Tree::Check finds each kind of damage that leaves checksums right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "quire/text.h"
#include "server/base/bytes.h"
#include "server/btree/bitmap.h"
#include "server/btree/block_edit.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

// Blocks: 0 bitmap, 1 data, 2 data, 3 root, 4 … 6 data.
class CheckTest : public testing::Test {
 protected:
  CheckTest() : test_({}) {
    for (int n = 10; n <= 100; n += 10) {
      EXPECT_TRUE(test_.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
    }
    EXPECT_EQ(test_.tree().Check(), absl::OkStatus());
    test_.check_at_end = false;
  }
  // What Check says once the block has been changed so.
  std::string After(BlockNumber block, const std::function<void(absl::Span<char>)>& damage) {
    std::string image = test_.Image(block);
    damage(absl::MakeSpan(image.data(), image.size()));
    test_.Replace(block, image);
    return Check();
  }
  std::string Check() {
    const absl::Status status = test_.tree().Check();
    EXPECT_EQ(NumberOf(status), ErrorNumber::kFileBad);
    return std::string(ToStd(status.message()));
  }
  TestTree test_;
};

TEST_F(CheckTest, CountsNothingAndChangesNothing) {
  const std::vector<std::string> images = test_.Images();
  test_.calls = {};
  EXPECT_EQ(test_.tree().Check(), absl::OkStatus());
  EXPECT_EQ(test_.calls.driver_input_calls, 0);
  EXPECT_EQ(test_.Images(), images);
}

TEST_F(CheckTest, OrderInABlock) {
  EXPECT_THAT(After(2, [](absl::Span<char> i) { ReplaceItem(i, 1, RecordOf("0030", 200)); }),
              HasSubstr("block 2: record 1 is out of order"));
}

TEST_F(CheckTest, BoundsOfTheParent) {
  EXPECT_THAT(After(2, [](absl::Span<char> i) { ReplaceItem(i, 1, RecordOf("0055", 200)); }),
              HasSubstr("block 2: record 1 is out of its parent's bounds"));
}

TEST_F(CheckTest, OrderOfEntries) {
  EXPECT_THAT(After(3, [](absl::Span<char> i) { ReplaceItem(i, 2, EncodeEntry("003", 4)); }),
              HasSubstr("entry 2 is out of order"));
}

TEST_F(CheckTest, ChainBothWays) {
  EXPECT_THAT(After(2, [](absl::Span<char> i) { SetPrevious(i, 5); }),
              HasSubstr("block 2: its backward link"));
  EXPECT_THAT(After(2,
                    [](absl::Span<char> i) {
                      SetPrevious(i, 1);
                      SetNext(i, 5);
                    }),
              HasSubstr("block 2: its forward link"));
}

TEST_F(CheckTest, LastBlockChainedOn) {
  EXPECT_THAT(After(6, [](absl::Span<char> i) { SetNext(i, 1); }), HasSubstr("chained on"));
}

TEST_F(CheckTest, BlockReachedTwice) {
  EXPECT_THAT(After(3, [](absl::Span<char> i) { ReplaceItem(i, 1, EncodeEntry("003", 1)); }),
              HasSubstr("block 1: it is reached twice"));
}

TEST_F(CheckTest, BlockBeyondEof) {
  EXPECT_THAT(After(3, [](absl::Span<char> i) { ReplaceItem(i, 1, EncodeEntry("003", 99)); }),
              HasSubstr("block 99: the file has no such block"));
}

TEST_F(CheckTest, BlockInUseMarkedFree) {
  EXPECT_THAT(After(0, [](absl::Span<char> i) { SetFree(i, 4, true); }),
              HasSubstr("block 4: it is in use but marked free"));
}

TEST_F(CheckTest, BlockLost) {
  ASSERT_TRUE(test_.Erase("0010").ok());
  ASSERT_TRUE(test_.Erase("0020").ok());
  EXPECT_THAT(After(0, [](absl::Span<char> i) { SetFree(i, 1, false); }),
              HasSubstr("block 1: it is marked used but not reached"));
}

TEST_F(CheckTest, BeyondEofMarkedUsed) {
  EXPECT_THAT(After(0, [](absl::Span<char> i) { SetFree(i, 1000, false); }),
              HasSubstr("block 1000 beyond EOF"));
}

TEST_F(CheckTest, FreeBytesNotZero) {
  EXPECT_THAT(After(2, [](absl::Span<char> i) { i[450] = 'x'; }), HasSubstr("not zeros"));
}

TEST_F(CheckTest, CountsOfTheLabel) {
  ++test_.state().record_count;
  EXPECT_THAT(Check(), HasSubstr("the label counts 11 records"));
  --test_.state().record_count;
  ++test_.state().free_blocks;
  EXPECT_THAT(Check(), HasSubstr("the label counts 1 free blocks"));
}

TEST_F(CheckTest, HintAboveAFreeBlock) {
  ASSERT_TRUE(test_.Erase("0010").ok());
  ASSERT_TRUE(test_.Erase("0020").ok());
  test_.state().free_hint = BitmapInterval(test_.file().image_bytes);
  EXPECT_THAT(Check(), HasSubstr("the hint is above"));
}

TEST_F(CheckTest, ImpossibleLevels) {
  test_.state().index_levels = 2;
  EXPECT_THAT(Check(), HasSubstr("block 3: it is not of the level"));
  test_.state().index_levels = 300;
  EXPECT_THAT(Check(), HasSubstr("index levels"));
}

}  // namespace
}  // namespace quire
