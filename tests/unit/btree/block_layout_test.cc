// Golden bytes of one block of each kind: a change here is a change of the stored format (a new
// layout version), never a matter of taste.
#include "server/btree/block_layout.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/escaping.h"
#include "tests/unit/btree/tree_fixture.h"

namespace quire {
namespace {

// Rows of 16 bytes, "offset: hex", rows of zeros left out; sealed first, so the checksum is in it.
std::string Dump(std::string image) {
  SealImage(absl::MakeSpan(image.data(), image.size()));
  std::string dump;
  for (size_t offset = 0; offset < image.size(); offset += 16) {
    const std::string row = image.substr(offset, 16);
    if (row.find_first_not_of('\0') == std::string::npos) continue;
    dump += std::to_string(offset) + ": " + std::string(absl::BytesToHexString(row)) + "\n";
  }
  return dump;
}

// Two records to a block of 512 bytes: five records make three data blocks and a root.
class GoldenTree : public testing::Test {
 protected:
  GoldenTree() : test_({}) {
    for (int n = 0; n < 5; ++n) {
      EXPECT_EQ(test_.Insert(RecordOf(DigitKey(n), 200, 'x').replace(10, 180, 180, '\0')),
                absl::OkStatus());
    }
  }
  TestTree test_;
};

TEST_F(GoldenTree, DataBlock) {
  EXPECT_EQ(Dump(test_.Image(2)),
            "0: d2b96402cb1542f60700000000000000\n"
            "16: 02000000425101000100000004000000\n"
            "32: 02000000303030327878787878780000\n"
            "224: 00007878787878787878787830303033\n"
            "240: 78787878787800000000000000000000\n"
            "416: 00000000000000000000787878787878\n"
            "432: 78787878000000000000000000000000\n"
            "480: 000000000000000000000000b401ec00\n");
}

TEST_F(GoldenTree, IndexBlock) {
  EXPECT_EQ(test_.state().root, 3u);
  EXPECT_EQ(Dump(test_.Image(3)),
            "0: 6af584a8a344521c0700000000000000\n"
            "16: 03000000425101010000000000000000\n"
            "32: 03000000010000003030303202000000\n"
            "48: 30303034040000000000000000000000\n"
            "480: 00000000000000000000380030002800\n");
}

// R-B4.
TEST_F(GoldenTree, BitmapBlock) {
  const std::string dump = Dump(test_.Image(0));
  EXPECT_EQ(dump.substr(0, dump.find("64: ")),
            "0: 1436ce82ab03dc4c0700000000000000\n"
            "16: 00000000425101ff0000000000000000\n"
            "32: 00000000f0ffffffffffffffffffffff\n"
            "48: ffffffffffffffffffffffffffffffff\n");
}

TEST(BlockLayout, B4BitmapsStandAtFixedIntervals) {
  EXPECT_EQ(BitmapInterval(4080), 32353u);
  EXPECT_EQ(BitmapInterval(496), 3681u);
  EXPECT_TRUE(IsBitmapBlock(0, 4080));
  EXPECT_TRUE(IsBitmapBlock(64706, 4080));
  EXPECT_FALSE(IsBitmapBlock(64705, 4080));
  EXPECT_EQ(BitmapOf(64705, 4080), 32353u);
  EXPECT_EQ(BitmapOf(64706, 4080), 64706u);
}

// R-B1: the longest REC of every block size fits.
TEST(BlockLayout, B1LongestRecordFits) {
  for (uint32_t block_bytes : {512u, 1024u, 2048u, 4096u, 32768u}) {
    EXPECT_LE(RecordCost(MaxRecordBytes(block_bytes)), CapacityOf(ImageBytes(block_bytes)));
  }
}

}  // namespace
}  // namespace quire
