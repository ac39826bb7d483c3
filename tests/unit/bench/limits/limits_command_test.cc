// quire-bench limits, small.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/time/clock.h"
#include "client/bench/child_process.h"
#include "client/bench/limits/limit.h"
#include "client/bench/text_file.h"
#include "nlohmann/json.hpp"
#include "tests/support/test_directory.h"

namespace quire {
namespace bench {
namespace {

class LimitsCommandTest : public testing::Test {
 protected:
  // How the program ended.
  std::string Run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"limits", "--directory=" + directory_.path() + "/data"});
    absl::StatusOr<ChildProcess> child =
        ChildProcess::Start(QUIRE_BIN_DIR "/quire-bench", arguments, directory_.path() + "/log");
    if (!child.ok()) return "did not start";
    return child->WaitUntil(absl::Now() + absl::Minutes(2)).value_or("did not end");
  }
  std::string Text(const std::string& name) {
    return ReadTextFile(directory_.path() + "/" + name).value_or("");
  }

  const TestDirectory directory_;
};

TEST_F(LimitsCommandTest, MeasuresEveryLimit) {
  ASSERT_EQ(Run({"--limits_rounds=2", "--limits_records=300", "--limits_operations=20",
                 "--json=" + directory_.path() + "/json"}),
            "")
      << Text("log");
  const std::string json = Text("json");
  ASSERT_TRUE(nlohmann::json::accept(json)) << json;
  for (const char* limit : {kAppendFdatasync, kAppendDirect, kSequentialWrite, kMemcpy, kUnaryEcho,
                            kUnaryEcho8, kUnaryEcho64, kUnaryWrite, kStreamOut, kStreamIn}) {
    EXPECT_NE(json.find(limit), std::string::npos) << limit;
  }
}

TEST_F(LimitsCommandTest, RefusesNothingToDo) {
  for (const char* option : {"--limits_rounds=0", "--limits_records=0", "--limits_operations=0"}) {
    EXPECT_EQ(Run({option}), "exited with code 3") << option;
  }
}

}  // namespace
}  // namespace bench
}  // namespace quire
