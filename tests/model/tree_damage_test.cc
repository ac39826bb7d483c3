// Damaged blocks under right checksums: every operation answers a legal number, 59 among them, and
// none crashes or runs in a circle.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "server/base/bytes.h"
#include "tests/support/test_random.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

constexpr int kRecords = 150;

const std::set<ErrorNumber> kLegal = {
    ErrorNumber::kOk,       ErrorNumber::kEndOfFile, ErrorNumber::kAlreadyExists,
    ErrorNumber::kNotFound, ErrorNumber::kFileBad,   ErrorNumber::kNoBufferSpace,
};

class Damage {
 public:
  explicit Damage(TestRandom& random) : random_(random), test_({512, {0, 20}, 256 << 10, true}) {
    test_.check_at_end = false;
    for (int n = 0; n < kRecords; ++n) {
      EXPECT_TRUE(test_.Insert(RecordOf(Key(n), 100)).ok());
    }
    for (int n = 0; n < kRecords; n += 3) EXPECT_TRUE(test_.Erase(Key(n)).ok());
    // Some whole blocks go back to the bitmap too.
    for (int n = 30; n < 60; ++n) static_cast<void>(test_.Erase(Key(n)));
  }

  void Bend() {
    const auto block =
        static_cast<BlockNumber>(random_.OneIn(4) ? 0 : random_.Below(test_.state().eof_blocks));
    std::string image = test_.Image(block);
    if (image.empty()) return;
    for (uint64_t flips = random_.Between(1, 4); flips > 0; --flips) {
      // Header fields and slots are where the harm is.
      size_t at = block_offset::kLevel + random_.Below(image.size() - block_offset::kLevel);
      if (random_.OneIn(3)) at = block_offset::kLevel + random_.Below(20);
      if (random_.OneIn(3)) at = image.size() - 1 - random_.Below(20);
      if (block == 0 && !random_.OneIn(4)) at = kBlockHeaderBytes + random_.Below(10);
      image[at] = static_cast<char>(random_.OneIn(2) ? random_.Below(256) : random_.Below(8));
    }
    test_.Replace(block, image);
  }

  void UseAll() {
    Note(test_.tree().Check());
    Walk(false);
    Walk(true);
    for (int step = 0; step < 60; ++step) {
      const std::string key = Key(static_cast<int>(random_.Below(kRecords)));
      Note(test_.Insert(RecordOf(key, random_.Between(20, 456))));
      Note(test_.Update(RecordOf(key, random_.Between(20, 456))));
      std::string record;
      Operation read;
      read.key = key;
      read.mode = static_cast<ReadMode>(random_.Below(3));
      read.reverse = random_.OneIn(2);
      Note(test_.tree().Read(read, test_.calls, &record));
      Note(test_.Erase(Key(static_cast<int>(random_.Below(kRecords)))));
    }
  }
  int bad() const { return bad_; }

 private:
  static std::string Key(int n) {
    return std::string(16, 'k') + DigitKey(static_cast<uint64_t>(n));
  }
  void Note(const absl::Status& status) {
    EXPECT_EQ(kLegal.count(NumberOf(status)), 1u) << status;
    if (NumberOf(status) == ErrorNumber::kFileBad) ++bad_;
  }
  void Walk(bool reverse) {
    Cursor cursor(&test_.tree(), {}, reverse, false, BlockUse::kScanned);
    absl::Status status;
    bool end = false;
    int chunks = 0;
    for (; status.ok() && !end && chunks < 10 * kRecords; ++chunks) {
      RecordChunk chunk;
      status = cursor.Fill(1 << 20, 1, test_.calls, &chunk, &end);
    }
    EXPECT_LT(chunks, 10 * kRecords) << "a circle";
    Note(status);
  }

  TestRandom& random_;
  TestTree test_;
  int bad_ = 0;
};

TEST(TreeDamage, BentBlocksGive59AndNeverACrash) {
  TestRandom random;
  int bad = 0;
  for (int round = 0; round < 1500; ++round) {
    Damage damage(random);
    for (uint64_t blocks = random.Between(1, 3); blocks > 0; --blocks) damage.Bend();
    damage.UseAll();
    bad += damage.bad();
  }
  EXPECT_GT(bad, 1000);
}

// The store refuses what does not check; the tree hands its 59 on.
TEST(TreeDamage, WrongChecksumIs59) {
  TestTree test({});
  for (int n = 0; n < 10; ++n) {
    ASSERT_TRUE(test.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
  }
  test.Reopen();
  test.check_at_end = false;
  ASSERT_TRUE(test.Damage(1, 100));
  EXPECT_EQ(test.ReadByKey("0001"), "[59]");
  EXPECT_EQ(test.ReadByKey("0009").size(), 200u);
  EXPECT_EQ(NumberOf(test.Erase("0000")), ErrorNumber::kFileBad);
  EXPECT_EQ(NumberOf(test.tree().Check()), ErrorNumber::kFileBad);
}

// Labels are bytes from disc too: a state that leads anywhere never crashes.
TEST(TreeDamage, RandomStateGives59) {
  TestRandom random;
  for (int round = 0; round < 3000; ++round) {
    TestTree test({});
    for (int n = 0; n < 20; ++n) {
      ASSERT_TRUE(test.Insert(RecordOf(DigitKey(static_cast<uint64_t>(n)), 200)).ok());
    }
    test.check_at_end = false;
    TreeState& state = test.state();
    switch (random.Below(5)) {
      case 0:
        state.root = static_cast<BlockNumber>(random.Below(20));
        break;
      case 1:
        state.index_levels = static_cast<uint32_t>(random.Below(300));
        break;
      case 2:
        state.eof_blocks = static_cast<uint32_t>(random.Below(30));
        break;
      case 3:
        state.free_blocks = static_cast<uint32_t>(random.Between(1, 5));
        break;
      default:
        state.free_hint = static_cast<uint32_t>(random.Below(100000));
        state.free_blocks = 1;
    }
    for (int step = 0; step < 20; ++step) {
      const std::string key = DigitKey(random.Below(40));
      for (const absl::Status& status :
           {test.Insert(RecordOf(key, 200)), test.Update(RecordOf(key, 300)), test.Erase(key),
            test.tree().Check()}) {
        ASSERT_EQ(kLegal.count(NumberOf(status)), 1u) << status;
      }
    }
  }
}

}  // namespace
}  // namespace quire
