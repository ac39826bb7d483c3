#include "client/bench/peers/changed_records.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace quire {
namespace bench {
namespace {

TEST(ChangedRecordsTest, KnowsEveryVersion) {
  const RecordSet set(500);
  ChangedRecords records(&set);
  ASSERT_EQ(records.size(), 500u);
  const std::string before = records.RecordAt(17);
  EXPECT_EQ(before, set.View(set.made().RankAt(RecordOrder::kInterleaved, 17)));
  records.Change(17);
  const std::string after = records.RecordAt(17);
  EXPECT_EQ(KeyOf(before), KeyOf(after));
  EXPECT_FALSE(records.Matches(17, before));
  EXPECT_TRUE(records.Matches(17, after));
  EXPECT_FALSE(records.Matches(18, after));
}

TEST(ChangedRecordsTest, InsertedKeysAreNew) {
  const RecordSet set(500);
  ChangedRecords records(&set);
  std::set<std::string> keys;
  for (int i = 0; i < 500; ++i) records.Insert();
  for (uint64_t item = 0; item < records.size(); ++item) {
    EXPECT_TRUE(keys.insert(records.KeyAt(item)).second) << item;
    EXPECT_TRUE(records.Matches(item, records.RecordAt(item)));
  }
  EXPECT_EQ(keys.size(), 1000u);
}

}  // namespace
}  // namespace bench
}  // namespace quire
