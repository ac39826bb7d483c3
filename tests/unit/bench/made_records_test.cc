#include "client/bench/made_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace quire {
namespace bench {
namespace {

TEST(MadeRecordsTest, KeysRiseAndRecordsMatchOnlyThemselves) {
  const MadeRecords records(1000);
  std::string last;
  for (uint64_t rank = 0; rank < records.count(); ++rank) {
    const std::string record = records.Record(rank);
    ASSERT_EQ(record.size(), MadeRecords::kRecordBytes);
    const std::string key = records.Key(rank);
    EXPECT_EQ(record.substr(0, MadeRecords::kKeyBytes), key);
    EXPECT_LT(last, key);
    last = key;
    EXPECT_TRUE(records.Matches(rank, record));
    EXPECT_FALSE(records.Matches(rank + 1, record));
    std::string damaged = record;
    ++damaged[MadeRecords::kKeyBytes + rank % (damaged.size() - MadeRecords::kKeyBytes)];
    EXPECT_FALSE(records.Matches(rank, damaged)) << rank;
  }
}

TEST(MadeRecordsTest, TextIsBetween500And1300BytesThenBlanks) {
  const MadeRecords records(2000);
  size_t shortest = MadeRecords::kRecordBytes;
  size_t longest = 0;
  for (uint64_t rank = 0; rank < records.count(); ++rank) {
    const std::string record = records.Record(rank);
    const size_t text = record.find_last_not_of(' ') + 1 - MadeRecords::kKeyBytes;
    shortest = std::min(shortest, text);
    longest = std::max(longest, text);
  }
  EXPECT_GE(shortest, 500u);
  EXPECT_LT(shortest, 520u);
  EXPECT_LE(longest, 1300u);
  EXPECT_GT(longest, 1280u);
}

TEST(MadeRecordsTest, EveryOrderHasEveryRankOnce) {
  for (const uint64_t count : {1u, 2u, 7u, 99u, 100u, 101u, 1000u, 4096u, 13507u}) {
    const MadeRecords records(count);
    for (const RecordOrder order :
         {RecordOrder::kAscending, RecordOrder::kInterleaved, RecordOrder::kShuffled}) {
      std::vector<bool> seen(count, false);
      for (uint64_t index = 0; index < count; ++index) {
        const uint64_t rank = records.RankAt(order, index);
        ASSERT_LT(rank, count);
        EXPECT_FALSE(seen[rank]) << "count " << count << " index " << index;
        seen[rank] = true;
      }
    }
  }
}

TEST(MadeRecordsTest, MatchesStartLooksAtWhatIsThere) {
  const MadeRecords records(100);
  const std::string record = records.Record(42);
  for (const size_t bytes : {size_t{11}, size_t{12}, size_t{128}, size_t{1600}, record.size()}) {
    std::string start = record.substr(0, bytes);
    EXPECT_TRUE(records.MatchesStart(42, start)) << bytes;
    EXPECT_FALSE(records.MatchesStart(43, start)) << bytes;
    start.back() ^= 1;
    EXPECT_FALSE(records.MatchesStart(42, start)) << bytes;
  }
  EXPECT_FALSE(records.MatchesStart(42, record.substr(0, 10)));
  EXPECT_FALSE(records.MatchesStart(42, record + " "));
}

TEST(MadeRecordsTest, InterleavedFeedsHundredRisingRunsInTurn) {
  const MadeRecords records(1050);
  for (uint64_t index = MadeRecords::kRuns; index < records.count(); ++index) {
    EXPECT_EQ(records.RankAt(RecordOrder::kInterleaved, index),
              records.RankAt(RecordOrder::kInterleaved, index - MadeRecords::kRuns) + 1);
  }
}

TEST(MadeRecordsTest, ShuffledIsNoRisingOrder) {
  const MadeRecords records(10000);
  uint64_t rises = 0;
  for (uint64_t index = 1; index < records.count(); ++index) {
    if (records.RankAt(RecordOrder::kShuffled, index) >
        records.RankAt(RecordOrder::kShuffled, index - 1)) {
      ++rises;
    }
  }
  EXPECT_GT(rises, 4500u);
  EXPECT_LT(rises, 5500u);
}

TEST(MadeRecordsTest, TheSameOnEveryMachine) {
  EXPECT_EQ(MadeRecords(1000, 1).Record(7), MadeRecords(2000, 1).Record(7));
  EXPECT_NE(MadeRecords(1000, 1).Record(7), MadeRecords(1000, 2).Record(7));
  EXPECT_EQ(MadeRecords(1000).Key(1), "00000000097");
}

}  // namespace
}  // namespace bench
}  // namespace quire
