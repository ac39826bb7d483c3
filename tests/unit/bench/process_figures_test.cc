#include "client/bench/process_figures.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(ProcessFiguresTest, RD5MemoryIsAnonymousAndShared) {
  EXPECT_EQ(PrivateBytesOf("VmRSS:\t  900 kB\nRssAnon:\t     300 kB\nRssFile:\t 500 kB\n"
                           "RssShmem:\t      20 kB\n"),
            320u << 10);
  EXPECT_EQ(PrivateBytesOf("Name:\tkthread\n"), 0u);
}

TEST(ProcessFiguresTest, OfThisProcess) {
  EXPECT_GT(PrivateBytes(getpid()), 0u);
  EXPECT_EQ(PrivateBytes(0), 0u);
  const ProcessFigures start = OwnProcess();
  volatile uint64_t sum = 0;
  while ((OwnProcess() - start).cpu_busy_s < 0.01) sum = sum + 1;
  const ProcessFigures used = OwnProcess() - start;
  EXPECT_GE(used.cpu_busy_s, 0.01);
  EXPECT_GE(used.ready_s, 0.0);
  EXPECT_GE(used.dispatches, 0);
}

TEST(ProcessFiguresTest, SamplerSeesAPeak) {
  MemorySampler sampler({getpid()});
  EXPECT_GT(sampler.Finish(), 0u);
  MemorySampler unfinished({getpid()});  // its destructor ends the thread
}

TEST(ProcessFiguresTest, DirectoryBytesCountBlocks) {
  const TestFolder folder;
  folder.Make("f", std::string(100000, 'x'));
  EXPECT_GE(DirectoryBytes(folder.path()), 100000u);
  EXPECT_EQ(DirectoryBytes(folder.path() + "/none"), 0u);
}

}  // namespace
}  // namespace bench
}  // namespace quire
