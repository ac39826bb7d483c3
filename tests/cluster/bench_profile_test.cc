// quire-bench profile and --profile of a server, once and small.
#include <signal.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

class BenchProfileTest : public ClusterTest {};

TEST_F(BenchProfileTest, ServerWritesItsProfileWhenAskedAndAtTheEnd) {
  const std::string path = StrCat(folder(), "/profile.json");
  StartVolume(1, {"--profile", path});
  const auto writes = [&path] {
    return nlohmann::json::parse(ReadWholeFile(path)).at("writes").get<int>();
  };
  EXPECT_EQ(writes(), 1);
  volume(1).Signal(SIGUSR1);
  EXPECT_TRUE(WaitUntil([&] { return writes() == 2; }));
  volume(1).Signal(SIGTERM);
  EXPECT_EQ(volume(1).WaitForExit(), 0);
  EXPECT_EQ(writes(), 3);
  const auto profile = nlohmann::json::parse(ReadWholeFile(path)).at("profile");
  EXPECT_GT(profile.at("user_s").get<double>() + profile.at("kernel_s").get<double>(), 0);
}

TEST_F(BenchProfileTest, AProfileThatCannotBeWrittenIsAnErrorAtTheStart) {
  const CommandResult result =
      Run("quire-volume", {"--name", "$DATA01", "--directory", StrCat(folder(), "/volume"),
                           "--profile", StrCat(folder(), "/none/profile.json")});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_THAT(result.output, testing::HasSubstr("cannot write the profile"));
}

TEST_F(BenchProfileTest, EveryKindOfWorkIsSplit) {
  const std::string path = StrCat(folder(), "/page.json");
  const CommandResult result =
      Run("quire-bench", {"profile", "--profile_records=300", "--profile_rounds=1",
                          "--profile_ms=20", "--profile_in_flight=1,8", "--json", path});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto sections = nlohmann::json::parse(ReadWholeFile(path)).at("sections");
  // Five kinds with 1 and 8 in flight, and the load stream, over gRPC and embedded.
  ASSERT_EQ(sections.at(0).at("rows").size(), 11U) << result.output;
  ASSERT_EQ(sections.at(1).at("rows").size(), 11U) << result.output;
  for (const auto& row : sections.at(0).at("rows")) {
    EXPECT_NE(row.at(2), "0") << row;  // requests per second
  }
}

}  // namespace
}  // namespace quire
