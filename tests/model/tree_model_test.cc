// Random histories of the whole tree against a std::map: every block size, record lengths fixed,
// mixed and close to the longest, several key places, caches that hold everything and caches that
// hold next to nothing, both modes, with control points and restarts in between.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "tests/support/test_random.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

enum class Lengths { kFixed, kMixed, kNearMaximum };

struct Setting {
  const char* name;
  TreeOptions tree;
  Lengths lengths;
  int steps;
};

void PrintTo(const Setting& setting, std::ostream* out) {
  *out << setting.name;
}

constexpr uint64_t kAmple = uint64_t{64} << 20;

const Setting kSettings[] = {
    {"Block512", {512, {0, 4}, kAmple, true}, Lengths::kMixed, 20000},
    {"Block512Fixed", {512, {3, 6}, kAmple, false}, Lengths::kFixed, 20000},
    {"Block512NearMaximum", {512, {10, 8}, kAmple, true}, Lengths::kNearMaximum, 8000},
    {"Block512LongKeys", {512, {0, 147}, kAmple, true}, Lengths::kMixed, 20000},
    {"Block512TinyCache", {512, {0, 4}, 64 << 10, true}, Lengths::kMixed, 20000},
    {"Block1024", {1024, {0, 255}, kAmple, true}, Lengths::kMixed, 20000},
    {"Block2048", {2048, {100, 3}, kAmple, false}, Lengths::kMixed, 20000},
    {"Block4096", {4096, {0, 11}, kAmple, true}, Lengths::kMixed, 30000},
    {"Block4096NearMaximum", {4096, {2, 9}, kAmple, false}, Lengths::kNearMaximum, 8000},
    {"Block4096TinyCache", {4096, {0, 11}, 256 << 10, false}, Lengths::kMixed, 20000},
    {"Block32768", {32768, {7, 30}, kAmple, true}, Lengths::kMixed, 20000},
    {"Block32768LongKeys", {32768, {0, 2048}, kAmple, true}, Lengths::kMixed, 4000},
    {"Block32768TinyCache", {32768, {0, 40}, 2 << 20, true}, Lengths::kNearMaximum, 4000},
};

class TreeModel : public testing::TestWithParam<Setting> {
 protected:
  TreeModel() : setting_(GetParam()), field_(setting_.tree.key), test_(setting_.tree) {}

  // Keys from a small alphabet and, often, with a long common front: separators of every length.
  std::string RandomKey() {
    std::string key(field_.length, 'm');
    const size_t varied = std::min<size_t>(field_.length, 6);
    const size_t at =
        random_.OneIn(3) ? random_.Below(field_.length - varied + 1) : field_.length - varied;
    key.replace(at, varied, random_.Text(varied, std::string("\0a\x7f\x80\xff", 5)));
    return key;
  }
  std::string RandomRecord(const std::string& key) {
    const uint32_t longest = MaxRecordBytes(setting_.tree.block_bytes);
    const uint32_t shortest = field_.end();
    uint64_t length = shortest + 20;
    if (setting_.lengths == Lengths::kNearMaximum) length = longest - random_.Below(40);
    if (setting_.lengths == Lengths::kMixed) {
      const uint32_t most = random_.OneIn(8) ? longest : std::min(longest, shortest + 120);
      length = random_.Between(shortest, most);
    }
    std::string record = random_.Text(length, "0123456789");
    return record.replace(field_.offset, field_.length, key);
  }
  // A key that exists, where there is one.
  std::string KnownKey() {
    if (model_.empty()) return RandomKey();
    const auto found = model_.lower_bound(RandomKey());
    return found == model_.end() ? model_.begin()->first : found->first;
  }

  void Insert() {
    const std::string key = RandomKey();
    const std::string record = RandomRecord(key);
    const bool is_new = model_.emplace(key, record).second;
    ASSERT_EQ(NumberOf(test_.Insert(record)),
              is_new ? ErrorNumber::kOk : ErrorNumber::kAlreadyExists);
  }
  void Update() {
    const std::string key = random_.OneIn(8) ? RandomKey() : KnownKey();
    const std::string record = RandomRecord(key);
    const auto found = model_.find(key);
    ASSERT_EQ(NumberOf(test_.Update(record)),
              found == model_.end() ? ErrorNumber::kNotFound : ErrorNumber::kOk);
    if (found != model_.end()) found->second = record;
  }
  void Erase() {
    const std::string key = random_.OneIn(8) ? RandomKey() : KnownKey();
    const bool known = model_.erase(key) == 1;
    ASSERT_EQ(NumberOf(test_.Erase(key)), known ? ErrorNumber::kOk : ErrorNumber::kNotFound);
  }
  void Read() {
    const std::string key = random_.OneIn(2) ? RandomKey() : KnownKey();
    const auto found = model_.find(key);
    ASSERT_EQ(test_.ReadByKey(key), found == model_.end() ? "[11]" : found->second);
  }
  void Scan() {
    KeyRange range{random_.OneIn(3) ? "" : RandomKey(), random_.OneIn(3) ? "" : RandomKey()};
    std::vector<std::string> expected;
    for (const auto& [key, record] : model_) {
      if (range.Contains(key)) expected.push_back(record);
    }
    const bool reverse = random_.OneIn(2);
    if (reverse) std::reverse(expected.begin(), expected.end());
    ASSERT_EQ(test_.Scan(range, reverse, random_.Below(5)), expected);
  }

  // Grows, lives, shrinks to little and to nothing, in turn.
  void Phase(int erase_of_ten, int steps) {
    for (int step = 0; step < steps && !HasFailure(); ++step) {
      const int choice = static_cast<int>(random_.Below(14));
      if (choice < erase_of_ten) {
        Erase();
      } else if (choice < 10) {
        Insert();
      } else if (choice < 12) {
        Update();
      } else {
        Read();
      }
      if (random_.OneIn(500)) Scan();
      if (random_.OneIn(300)) {
        ASSERT_EQ(test_.Check(), absl::OkStatus()) << step;
      }
      if (random_.OneIn(400)) test_.Flush();
      if (random_.OneIn(2000)) test_.Reopen();
    }
    ASSERT_EQ(test_.Check(), absl::OkStatus());
    ASSERT_EQ(test_.state().record_count, model_.size());
  }
  void EraseAll() {
    while (!model_.empty() && !HasFailure()) {
      const std::string key = KnownKey();
      model_.erase(key);
      ASSERT_EQ(test_.Erase(key), absl::OkStatus());
    }
    ASSERT_EQ(test_.Check(), absl::OkStatus());
    ASSERT_EQ(test_.state().root, 0u);
  }

  const Setting setting_;
  const KeyField field_;
  TestTree test_;
  TestRandom random_;
  std::map<std::string, std::string> model_;
};

TEST_P(TreeModel, AgreesWithAMap) {
  Phase(1, setting_.steps / 2);
  Phase(5, setting_.steps / 4);
  Phase(8, setting_.steps / 4);
  EraseAll();
  Phase(2, setting_.steps / 4);
  const BlockCalls& calls = test_.calls;
  EXPECT_EQ(calls.driver_input_calls, calls.cache_hits + calls.cache_read_misses);
  EXPECT_EQ(calls.driver_output_calls,
            calls.cache_write_hits + calls.cache_write_cleans + calls.cache_write_misses);
  EXPECT_GT(calls.block_splits, 20);
  if (setting_.tree.cache_bytes < kAmple) {
    EXPECT_GT(calls.cache_read_misses, 100);
    EXPECT_GT(calls.cache_write_misses, 100);
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, TreeModel, testing::ValuesIn(kSettings),
                         [](const auto& setting) { return std::string(setting.param.name); });

// With Check after every single operation, on trees small enough for it.
TEST(TreeModelSmall, WholeAfterEveryOperation) {
  TestRandom random;
  for (int round = 0; round < 20; ++round) {
    TestTree test({512, {0, 100}, kAmple, true});
    std::map<std::string, std::string> model;
    for (int step = 0; step < 300; ++step) {
      const std::string key = std::string(97, 'k') + random.Text(3, "abc");
      const std::string record = RecordOf(key, random.Between(100, 456));
      const bool known = model.count(key) != 0;
      const ErrorNumber found = known ? ErrorNumber::kOk : ErrorNumber::kNotFound;
      switch (random.Below(3)) {
        case 0:
          ASSERT_EQ(test.Insert(record).ok(), !known);
          model.emplace(key, record);
          break;
        case 1:
          ASSERT_EQ(NumberOf(test.Update(record)), found);
          if (known) model[key] = record;
          break;
        default:
          ASSERT_EQ(NumberOf(test.Erase(key)), found);
          model.erase(key);
      }
      ASSERT_EQ(test.tree().Check(), absl::OkStatus()) << round << " " << step;
    }
    std::vector<std::string> records;
    for (const auto& entry : model) records.push_back(entry.second);
    EXPECT_EQ(test.Scan({}), records);
  }
}

// R-D11: the same history gives the same blocks, whatever the cache does.
TEST(TreeModelSmall, D11AllocationDependsOnStoredStateAlone) {
  TestRandom random;
  TestTree calm({512, {0, 4}, kAmple, true});
  TestTree restless({512, {0, 4}, 64 << 10, false});
  for (int step = 0; step < 5000; ++step) {
    const std::string key = DigitKey(random.Below(1000));
    const std::string record = RecordOf(key, random.Between(4, 400));
    if (random.OneIn(2)) {
      ASSERT_EQ(NumberOf(calm.Insert(record)), NumberOf(restless.Insert(record)));
    } else {
      ASSERT_EQ(NumberOf(calm.Erase(key)), NumberOf(restless.Erase(key)));
    }
    if (random.OneIn(300)) restless.Reopen();
  }
  EXPECT_EQ(calm.state(), restless.state());
  restless.Flush();
  std::vector<std::string> left = calm.Images();
  std::vector<std::string> right = restless.Images();
  for (size_t block = 0; block < left.size(); ++block) {
    if (right[block].empty() || left[block].empty()) continue;  // free: no bytes that matter
    EXPECT_EQ(left[block].substr(8), right[block].substr(8)) << block;
  }
}

}  // namespace
}  // namespace quire
