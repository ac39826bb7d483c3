#include "client/transport/convert_check.h"

#include "gtest/gtest.h"
#include "quire/error.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

TEST(ConvertCheckTest, ChecksRoundTrip) {
  TestRandom random;
  std::vector<PartitionCheck> checks;
  for (uint32_t partition = 0; partition < 5; ++partition) {
    PartitionCheck check;
    check.file = FileName{"", "$DATA01", "SUB", "FILE"};
    check.partition = partition;
    if (partition == 1) check.status = MakeError(ErrorNumber::kFileBad, "block 7: wrong checksum");
    if (partition == 2) check.status = MakeError(ErrorNumber::kVolumeDown, "down", Retry::kSafe);
    for (uint32_t level = 0; level < partition; ++level) {
      check.levels.push_back({level, random.Below(1000), random.Below(1000), random.Below(1000)});
    }
    check.block_bytes = 4096;
    check.bitmap_blocks = random.Below(1000);
    check.unused_blocks = random.Below(1000);
    check.lsn = random.Below(1000);
    checks.push_back(std::move(check));
  }
  v1::CheckResponse message;
  ToProto(checks, &message);
  const std::vector<PartitionCheck> received = FromProto(message);
  ASSERT_EQ(received.size(), checks.size());
  for (size_t i = 0; i < checks.size(); ++i) {
    const PartitionCheck& a = received[i];
    const PartitionCheck& b = checks[i];
    EXPECT_EQ(a.file, b.file);
    EXPECT_EQ(a.partition, b.partition);
    EXPECT_EQ(NumberOf(a.status), NumberOf(b.status));
    EXPECT_EQ(a.status.message(), b.status.message());
    EXPECT_EQ(RetryOf(a.status), RetryOf(b.status));
    ASSERT_EQ(a.levels.size(), b.levels.size());
    for (size_t level = 0; level < b.levels.size(); ++level) {
      EXPECT_EQ(a.levels[level].level, b.levels[level].level);
      EXPECT_EQ(a.levels[level].blocks, b.levels[level].blocks);
      EXPECT_EQ(a.levels[level].records, b.levels[level].records);
      EXPECT_EQ(a.levels[level].free_bytes, b.levels[level].free_bytes);
    }
    EXPECT_EQ(a.block_bytes, b.block_bytes);
    EXPECT_EQ(a.bitmap_blocks, b.bitmap_blocks);
    EXPECT_EQ(a.unused_blocks, b.unused_blocks);
    EXPECT_EQ(a.lsn, b.lsn);
  }
}

}  // namespace
}  // namespace quire
