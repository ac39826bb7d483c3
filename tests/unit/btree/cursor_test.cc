#include "server/btree/cursor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/support/test_random.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

// Ten records of 200 bytes, two to a block: 0010 … 0100.
class CursorTest : public testing::Test {
 protected:
  CursorTest() : test_({}) {
    for (int n = 10; n <= 100; n += 10) {
      EXPECT_TRUE(test_.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
    }
    test_.calls = {};
  }
  Cursor Walk(KeyRange range, bool reverse = false, bool start_exclusive = false) {
    return Cursor(&test_.tree(), std::move(range), reverse, start_exclusive, BlockUse::kScanned);
  }
  // Key of the next record; "end" after the last.
  std::string Next(Cursor& cursor) {
    RecordChunk chunk;
    bool end = false;
    EXPECT_EQ(cursor.Fill(1 << 20, 1, test_.calls, &chunk, &end), absl::OkStatus());
    return chunk.size() == 0 ? "end" : chunk.last_key;
  }
  std::vector<std::string> Keys(const std::vector<std::string>& records) {
    std::vector<std::string> keys;
    for (const std::string& record : records) keys.push_back(record.substr(0, 4));
    return keys;
  }
  using List = std::vector<std::string>;
  TestTree test_;
};

TEST_F(CursorTest, RangesAreHalfOpenBothWays) {
  EXPECT_EQ(Keys(test_.Scan({"0020", "0050"})), (List{"0020", "0030", "0040"}));
  EXPECT_EQ(Keys(test_.Scan({"0020", "0050"}, true)), (List{"0040", "0030", "0020"}));
  EXPECT_EQ(Keys(test_.Scan({"0085", ""})), (List{"0090", "0100"}));
  EXPECT_EQ(Keys(test_.Scan({"", "0025"}, true)), (List{"0020", "0010"}));
  EXPECT_EQ(test_.Scan({}).size(), 10u);
  EXPECT_EQ(test_.Scan({}, true).size(), 10u);
  EXPECT_TRUE(test_.Scan({"0050", "0050"}).empty());
  EXPECT_TRUE(test_.Scan({"0051", "0059"}).empty());
}

TEST_F(CursorTest, StartExclusiveLeavesOutTheStartItself) {
  Cursor up = Walk({"0020", "0040"}, false, true);
  EXPECT_EQ(Next(up), "0030");
  EXPECT_EQ(Next(up), "end");
  Cursor down = Walk({"0020", "0040"}, true, true);
  EXPECT_EQ(Next(down), "0030");
  EXPECT_EQ(Next(down), "end");
}

TEST_F(CursorTest, EndIsToldWithTheLastRecord) {
  Cursor cursor = Walk({"0080", ""});
  RecordChunk chunk;
  bool end = false;
  ASSERT_TRUE(cursor.Fill(1 << 20, 2, test_.calls, &chunk, &end).ok());
  EXPECT_FALSE(end);
  chunk = {};
  ASSERT_TRUE(cursor.Fill(1 << 20, 1, test_.calls, &chunk, &end).ok());
  EXPECT_EQ(chunk.last_key, "0100");
  EXPECT_TRUE(end);
}

TEST_F(CursorTest, ChunksAreBoundedInBytesButNeverEmpty) {
  Cursor cursor = Walk({});
  RecordChunk chunk;
  bool end = false;
  ASSERT_TRUE(cursor.Fill(500, 0, test_.calls, &chunk, &end).ok());
  EXPECT_EQ(chunk.size(), 2u);
  chunk = {};
  ASSERT_TRUE(cursor.Fill(10, 0, test_.calls, &chunk, &end).ok());
  EXPECT_EQ(chunk.size(), 1u);
  EXPECT_EQ(chunk.last_key, "0030");
}

// R-C2: one call per record, one per new leaf; a descent at the start and after a change.
TEST_F(CursorTest, C2SequentialReadContinuesFromItsLeaf) {
  Cursor cursor = Walk({});
  EXPECT_EQ(Next(cursor), "0010");
  EXPECT_EQ(test_.calls.driver_input_calls, 2);  // root, leaf
  EXPECT_EQ(Next(cursor), "0020");
  EXPECT_EQ(test_.calls.driver_input_calls, 3);
  EXPECT_EQ(Next(cursor), "0030");
  EXPECT_EQ(test_.calls.driver_input_calls, 5);  // the leaf left, the new one
  ASSERT_TRUE(test_.Insert(RecordOf("0005", 10)).ok());
  test_.calls = {};
  EXPECT_EQ(Next(cursor), "0040");
  EXPECT_EQ(test_.calls.driver_input_calls, 2);
}

TEST_F(CursorTest, C2BulkCountsOneCallPerLeaf) {
  EXPECT_EQ(test_.Scan({}).size(), 10u);
  EXPECT_EQ(test_.calls.driver_input_calls, 1 + 5);
}

// Delete while scanning: whatever goes between two calls, what is left comes once and in order.
TEST_F(CursorTest, PositionIsAKey) {
  for (bool reverse : {false, true}) {
    for (int stop = 1; stop < 10; ++stop) {
      for (int gone = 10; gone <= 100; gone += 10) {
        TestTree test({});
        std::set<std::string> left;
        for (int n = 10; n <= 100; n += 10) {
          left.insert(DigitKey(static_cast<uint64_t>(n)));
          ASSERT_TRUE(test.Insert(RecordOf(*left.rbegin(), 200)).ok());
        }
        Cursor cursor(&test.tree(), {}, reverse, false, BlockUse::kScanned);
        std::vector<std::string> seen;
        bool end = false;
        while (!end) {
          if (seen.size() == static_cast<size_t>(stop)) {
            const std::string key = DigitKey(static_cast<uint64_t>(gone));
            ASSERT_TRUE(test.Erase(key).ok() || left.count(key) == 0);
            left.erase(key);
          }
          RecordChunk chunk;
          ASSERT_TRUE(cursor.Fill(1 << 20, 1, test.calls, &chunk, &end).ok());
          if (chunk.size() > 0) seen.push_back(chunk.last_key);
        }
        std::vector<std::string> expected(left.begin(), left.end());
        if (reverse) std::reverse(expected.begin(), expected.end());
        // The one erased may have been given before it went.
        std::vector<std::string> still;
        for (const std::string& key : seen) {
          if (left.count(key) != 0) still.push_back(key);
        }
        ASSERT_EQ(still, expected) << reverse << " " << stop << " " << gone;
        ASSERT_LE(seen.size(), 10u);
      }
    }
  }
}

TEST_F(CursorTest, RandomChangesBetweenChunks) {
  TestRandom random;
  for (int round = 0; round < 300; ++round) {
    TestTree test({});
    std::set<std::string> standing;  // there all the time
    std::set<std::string> all;
    for (int i = 0; i < 60; ++i) all.insert(DigitKey(random.Below(200)));
    for (const std::string& key : all) ASSERT_TRUE(test.Insert(RecordOf(key, 150)).ok());
    standing = all;
    const bool reverse = random.OneIn(2);
    Cursor cursor(&test.tree(), {}, reverse, false, BlockUse::kScanned);
    std::vector<std::string> seen;
    for (bool end = false; !end;) {
      RecordChunk chunk;
      ASSERT_TRUE(cursor.Fill(random.Below(700), 0, test.calls, &chunk, &end).ok());
      for (size_t i = 0, at = 0; i < chunk.size(); at += chunk.lengths[i++]) {
        seen.push_back(chunk.data.substr(at, 4));
      }
      for (uint64_t change = random.Below(4); change > 0; --change) {
        const std::string key = DigitKey(random.Below(200));
        standing.erase(key);
        if (!test.Insert(RecordOf(key, 150)).ok()) {
          ASSERT_TRUE(test.Erase(key).ok());
        }
      }
    }
    for (size_t i = 1; i < seen.size(); ++i) {
      ASSERT_TRUE(reverse ? seen[i] < seen[i - 1] : seen[i] > seen[i - 1]);
    }
    const std::set<std::string> found(seen.begin(), seen.end());
    for (const std::string& key : standing) ASSERT_EQ(found.count(key), 1u) << key;
  }
}

}  // namespace
}  // namespace quire
