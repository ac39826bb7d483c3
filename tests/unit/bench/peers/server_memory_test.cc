#include "client/bench/peers/server_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace quire {
namespace bench {
namespace {

TEST(ServerMemoryTest, ReadsReservedHugePages) {
  EXPECT_EQ(HugePageBytesOf("VmRSS:\t  12 kB\nHugetlbPages:\t   2048 kB\nCpus:\t3\n"), 2u << 20);
  EXPECT_EQ(HugePageBytesOf("VmRSS:\t  12 kB\n"), 0u);
  EXPECT_EQ(HugePageBytesOf("HugetlbPages:\t many kB\n"), 0u);
  EXPECT_EQ(HugePageBytesOf(""), 0u);
}

TEST(ServerMemoryTest, HasAPeakOnceItWatches) {
  ServerMemory memory;
  EXPECT_EQ(memory.Peak(), 0u);
  memory.Watch({getpid()});
  EXPECT_GT(memory.Peak(), 0u);
  EXPECT_EQ(memory.Peak(), 0u);
}

}  // namespace
}  // namespace bench
}  // namespace quire
