#include "server/btree/bitmap.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "server/btree/block_layout.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

constexpr uint32_t kImageBytes = 49;  // 13 bytes of bits: no multiple of 8
constexpr uint32_t kInterval = BitmapInterval(kImageBytes);

class Bitmap : public testing::Test {
 protected:
  Bitmap() : image_(kImageBytes, '\0') {}
  absl::Span<char> span() { return absl::MakeSpan(image_.data(), image_.size()); }
  std::string image_;
};

TEST_F(Bitmap, SetsAndClearsSingleBlocks) {
  const BlockNumber bitmap = 3 * kInterval;
  SetFree(span(), bitmap + 1, true);
  SetFree(span(), bitmap + 104, true);
  EXPECT_EQ(image_[kBlockHeaderBytes], 1);
  EXPECT_EQ(static_cast<unsigned char>(image_.back()), 128);
  EXPECT_TRUE(IsFree(span(), bitmap + 1));
  EXPECT_FALSE(IsFree(span(), bitmap + 2));
  SetFree(span(), bitmap + 1, false);
  EXPECT_FALSE(IsFree(span(), bitmap + 1));
}

TEST_F(Bitmap, SetAllFreeLeavesTheHeader) {
  SetAllFree(span());
  EXPECT_EQ(image_.substr(0, kBlockHeaderBytes), std::string(kBlockHeaderBytes, '\0'));
  for (BlockNumber block = 1; block < kInterval; ++block) EXPECT_TRUE(IsFree(span(), block));
}

TEST_F(Bitmap, FindFreeAgreesWithASet) {
  TestRandom random;
  const BlockNumber bitmap = 2 * kInterval;
  std::set<BlockNumber> free;
  for (int step = 0; step < 5000; ++step) {
    const auto block = static_cast<BlockNumber>(bitmap + random.Between(1, kInterval - 1));
    const bool set = random.OneIn(4);
    SetFree(span(), block, set);
    if (set) {
      free.insert(block);
    } else {
      free.erase(block);
    }
    const auto from = static_cast<BlockNumber>(bitmap + random.Below(kInterval));
    const auto limit = static_cast<BlockNumber>(bitmap + random.Below(kInterval + 2));
    const auto found = free.lower_bound(from);
    const BlockNumber expected = found == free.end() || *found >= limit ? 0 : *found;
    ASSERT_EQ(FindFree(span(), bitmap, from, limit), expected) << from << " " << limit;
  }
}

}  // namespace
}  // namespace quire
