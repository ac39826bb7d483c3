#include "server/main/memory_limit.h"

#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

class ControlGroupTest : public ::testing::Test {
 protected:
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  TestDirectory directory_;
  const std::string root_ = directory_.path();
};

TEST_F(ControlGroupTest, NoGroupNoLimit) {
  EXPECT_EQ(ControlGroupMemoryBytes(root_), std::nullopt);
  Write("/proc/self/cgroup", "0::/a/b\n");
  Write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  EXPECT_EQ(ControlGroupMemoryBytes(root_), std::nullopt);
}

TEST_F(ControlGroupTest, LowestOfTheGroupsAboveCounts) {
  Write("/proc/self/cgroup", "0::/a/b\n");
  Write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  Write("/sys/fs/cgroup/a/memory.max", "1000000\n");
  Write("/sys/fs/cgroup/memory.max", "2000000\n");
  EXPECT_EQ(ControlGroupMemoryBytes(root_), 1000000u);
}

TEST_F(ControlGroupTest, FirstVersion) {
  Write("/proc/self/cgroup", "7:cpu,cpuacct:/x\n5:memory:/x\n");
  Write("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "3000000\n");
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(ControlGroupMemoryBytes(root_), 3000000u);
}

TEST(FitIntoMemoryTest, WishStandsWhenItFits) {
  const MemoryShares shares = FitIntoMemory({512 * kMiB, 256 * kMiB}, std::nullopt);
  EXPECT_EQ(shares.cache_bytes, 512 * kMiB);
  EXPECT_EQ(shares.dirty_limit_bytes, 256 * kMiB);
  EXPECT_EQ(FitIntoMemory({512 * kMiB, 256 * kMiB}, 896 * kMiB).cache_bytes, 512 * kMiB);
}

// R-D5: cache + dirty limit + 128 MiB stay within the limit; dirty is at most half of the cache.
TEST(FitIntoMemoryTest, RD5SharesStayWithinEveryLimit) {
  for (uint64_t limit = kMiB; limit < 2048 * kMiB; limit = limit * 5 / 4) {
    const MemoryShares shares = FitIntoMemory({512 * kMiB, 400 * kMiB}, limit);
    EXPECT_LE(shares.cache_bytes + shares.dirty_limit_bytes, limit);
    EXPECT_LE(shares.dirty_limit_bytes, shares.cache_bytes / 2);
    EXPECT_GT(shares.dirty_limit_bytes, 0u);
    if (limit > 2 * kProcessOverheadBytes) {
      EXPECT_LE(shares.cache_bytes + shares.dirty_limit_bytes + kProcessOverheadBytes, limit);
    }
  }
}

}  // namespace
}  // namespace quire
