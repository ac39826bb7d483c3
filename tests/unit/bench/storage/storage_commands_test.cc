// quire-bench readahead, extents and blocks, once each and small: that they run and what they
// write. No figure of time is asked for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "nlohmann/json.hpp"
#include "tests/support/test_directory.h"

namespace quire {
namespace {

// What the command writes as JSON.
nlohmann::json RunQuick(const std::string& command) {
  const TestDirectory directory;
  const std::string json = directory.path() + "/page.json";
  const std::string line = std::string(QUIRE_BENCH) + " " + command + " --quick --directory " +
                           directory.path() + " --json " + json + " >/dev/null";
  EXPECT_EQ(std::system(line.c_str()), 0) << line;
  std::ifstream file(json);
  nlohmann::json page = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  EXPECT_TRUE(page.is_object());
  return page;
}

TEST(StorageCommands, ReadAheadHasGoalsAndAllScans) {
  const nlohmann::json page = RunQuick("readahead");
  EXPECT_EQ(page["goals"].size(), 3u);
  const std::string text = page.dump();
  for (const char* const word :
       {"shuffled, reverse, 200 us", "ascending, forward, 0 us", "adaptive/none",
        "ascending, every 10th range of 100, 50 us", "in the page cache"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(StorageCommands, ExtentsHasEverySizeWithAndWithoutZeros) {
  const std::string text = RunQuick("extents").dump();
  for (const char* const word :
       {"small", "large", "whole file", "small, zero-filled", "whole file, zero-filled"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

TEST(StorageCommands, BlocksHasEverySize) {
  const std::string text = RunQuick("blocks").dump();
  for (const char* const word : {"BLOCK 512", "BLOCK 1024", "BLOCK 2048", "BLOCK 4096",
                                 "BLOCK 32768", "4096, 1676", "32768, 1676"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace quire
