// Damaged blocks under right checksums: every operation answers a legal number, 59 among them, and
// none crashes or runs in a circle.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "quire/text.h"
#include "server/base/bytes.h"
#include "server/btree/block_view.h"
#include "server/btree/stored_blocks.h"
#include "server/btree/tree_walk.h"
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

// Blocks whose bytes the store would never have written: every kind of block, every way to spoil
// its bytes; the walk names the block and what is wrong, and reads on.
class SpoiltBlock : public testing::Test {
 protected:
  SpoiltBlock() : test_({512, {0, 20}, 4 << 20, true}) {
    for (int n = 0; n < 3 * kRecords; ++n) {
      EXPECT_TRUE(
          test_.Insert(RecordOf(std::string(16, 'k') + DigitKey(static_cast<uint64_t>(n)), 100))
              .ok());
    }
    test_.Reopen();
    test_.check_at_end = false;
    whole_ = Walk();
    EXPECT_EQ(whole_.status, absl::OkStatus());
    EXPECT_GE(test_.state().index_levels, 2u);
  }

  TreeFindings Walk() { return test_.Walk(); }
  // A data block, an index block of the lowest level, the root, a bitmap.
  std::vector<BlockNumber> OneOfEachKind() {
    std::vector<BlockNumber> blocks = {0, test_.state().root};
    BlockNumber block = test_.state().root;
    for (uint32_t level = test_.state().index_levels; level > 0; --level) {
      const std::string image = test_.Image(block);
      BlockView view(image);
      block = view.Child(view.count() / 2);
      if (level <= 2) blocks.push_back(block);
    }
    return blocks;
  }
  // Spoils `block` so, and expects that the walk and the tree's own check say so of it.
  void ExpectFault(BlockNumber block, const std::string& spoilt, std::string_view reason) {
    SCOPED_TRACE(StrCat("block ", block, ": ", reason));
    const FileId file = test_.file().id;
    const std::string image = test_.disc().Bytes(file, block);
    ASSERT_FALSE(image.empty());
    test_.disc().Replace(file, block, spoilt);
    const TreeFindings found = Walk();
    EXPECT_EQ(NumberOf(found.status), ErrorNumber::kFileBad);
    const std::string message(ToStd(found.status.message()));
    EXPECT_NE(message.find(StrCat("block ", block)), std::string::npos) << message;
    EXPECT_NE(message.find(reason), std::string::npos) << message;
    // All data blocks but this one are counted.
    EXPECT_GE(found.levels[0].blocks + 1, whole_.levels[0].blocks);
    test_.disc().Replace(file, block, image);
  }

  TestTree test_;
  TreeFindings whole_;
};

TEST_F(SpoiltBlock, EveryKindEveryWay) {
  const FileId file = test_.file().id;
  ASSERT_EQ(OneOfEachKind().size(), 4u);
  for (const BlockNumber block : OneOfEachKind()) {
    const std::string image = test_.disc().Bytes(file, block);
    ExpectFault(block, "", "not in the store");
    ExpectFault(block, image.substr(0, image.size() / 2), "bytes");
    ExpectFault(block, image.substr(0, 20), "bytes");
    for (const size_t at : {size_t{0}, size_t{10}, size_t{17}, size_t{23}, size_t{24}, size_t{32},
                            size_t{36}, image.size() - 1}) {
      std::string flipped = image;
      flipped[at] = static_cast<char>(flipped[at] ^ 4);
      ExpectFault(block, flipped, "wrong checksum");
    }
    ExpectFault(block, std::string(image.size(), '\0'), "wrong magic");
    std::string newer = image;
    newer[block_offset::kVersion] = 9;
    ExpectFault(block, newer, "unknown block version 9");
    // Swapped with a neighbour, and of another file: whole images in the wrong place.
    const BlockNumber other = block == 1 ? 2 : 1;
    ExpectFault(block, test_.disc().Bytes(file, other), "misplaced");
    std::string foreign = image;
    StoreLittle<uint64_t>(foreign.data() + block_offset::kFileId, file + 1);
    SealImage(absl::MakeSpan(foreign.data(), foreign.size()));
    ExpectFault(block, foreign, "misplaced");
    std::string other_level = image;
    other_level[block_offset::kLevel] = 77;
    SealImage(absl::MakeSpan(other_level.data(), other_level.size()));
    ExpectFault(block, other_level, "not of the level");
  }
  EXPECT_EQ(Walk().status, absl::OkStatus());
}

// Two blocks that changed places, each sealed for its new one: right checksums, wrong tree.
TEST_F(SpoiltBlock, SwappedAndResealedDataBlocks) {
  const FileId file = test_.file().id;
  std::string one = test_.disc().Bytes(file, 1);
  std::string two = test_.disc().Bytes(file, 2);
  for (auto [image, block] : {std::pair{&two, BlockNumber{1}}, std::pair{&one, BlockNumber{2}}}) {
    StoreLittle<uint32_t>(image->data() + block_offset::kBlockNumber, block);
    SealImage(absl::MakeSpan(image->data(), image->size()));
    test_.disc().Replace(file, block, *image);
  }
  const TreeFindings found = Walk();
  EXPECT_EQ(NumberOf(found.status), ErrorNumber::kFileBad);
  EXPECT_EQ(found.levels[0].blocks, whole_.levels[0].blocks);
  EXPECT_EQ(found.levels[0].records, whole_.levels[0].records);
}

}  // namespace
}  // namespace quire
