#include "server/btree/tree.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

void Fill(TestTree& test, int from, int to) {
  for (int n = from; n < to; ++n) {
    ASSERT_TRUE(test.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
  }
}

TEST(Tree, C1LabelCallIsAlwaysCleanInAWriteThroughFile) {
  TestTree test({});
  Fill(test, 0, 3);
  for (int n = 3; n < 9; n += 2) {
    test.calls = {};
    Fill(test, n, n + 2);
    // One split and one plain insert: all but the block just made is clean.
    EXPECT_EQ(test.calls.cache_write_hits, 1);
  }
}

TEST(Tree, C1LabelCallOfABufferedFileIsCleanOnceAfterAControlPoint) {
  TestTree test({512, {0, 4}, uint64_t{16} << 20, false});
  Fill(test, 0, 7);
  test.calls = {};
  Fill(test, 7, 9);
  EXPECT_EQ(test.calls.cache_write_cleans, 0);
  test.Flush();
  test.calls = {};
  Fill(test, 9, 10);
  EXPECT_EQ(test.calls.cache_write_cleans, 1);  // its block
  Fill(test, 10, 11);
  // Bitmap, old block, parent, label.
  EXPECT_EQ(test.calls.cache_write_cleans, 1 + 3);
  EXPECT_EQ(test.calls.driver_output_calls,
            test.calls.cache_write_hits + test.calls.cache_write_cleans);
}

TEST(Tree, C1AbsentBlocksAreMisses) {
  TestTree test({});
  Fill(test, 0, 20);
  test.Reopen();
  test.calls = {};
  ASSERT_TRUE(test.Update(RecordOf("0003", 10)).ok());
  EXPECT_EQ(test.calls.cache_read_misses, 1);
  EXPECT_EQ(test.calls.cache_write_misses, 1);
  EXPECT_EQ(test.calls.cache_hits, 0);
  EXPECT_EQ(test.ReadByKey("0003"), RecordOf("0003", 10));
  EXPECT_EQ(test.calls.cache_hits, 2);
}

TEST(Tree, VersionCountsChangesOnly) {
  TestTree test({});
  Fill(test, 0, 3);
  EXPECT_EQ(test.tree().version(), 3u);
  EXPECT_FALSE(test.Insert(RecordOf("0001", 200)).ok());
  EXPECT_EQ(test.ReadByKey("0001").size(), 200u);
  EXPECT_EQ(test.tree().version(), 3u);
  test.tree().StateReplaced();
  EXPECT_EQ(test.tree().version(), 4u);
}

}  // namespace
}  // namespace quire
