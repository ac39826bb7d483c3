// quire-bench scale and partitions, once and small.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

class BenchScaleTest : public ClusterTest {
 protected:
  nlohmann::json PageOf(std::vector<std::string> arguments) {
    const std::string path = StrCat(folder(), "/page.json");
    arguments.insert(arguments.end(), {"--json", path, "--directory", folder()});
    const CommandResult result = Run("quire-bench", arguments);
    EXPECT_EQ(result.exit_code, 0) << result.output;
    return nlohmann::json::parse(ReadWholeFile(path), nullptr, /*allow_exceptions=*/false);
  }
};

TEST_F(BenchScaleTest, StepsAreLoadedKilledAndStartedAgain) {
  const auto page = PageOf({"scale", "--scale_steps=1000,4000", "--scale_rounds=1"});
  ASSERT_EQ(page.at("goals").size(), 5U) << page;
  EXPECT_THAT(page.dump(), testing::HasSubstr("records redone"));
}

TEST_F(BenchScaleTest, AStepThatFindsNoRoomIsRefusedBeforeItStarts) {
  const CommandResult result =
      Run("quire-bench", {"scale", "--scale_steps=1000000000", "--directory", folder()});
  EXPECT_EQ(result.exit_code, 3) << result.output;
  EXPECT_THAT(result.output, testing::HasSubstr("a step of 1000000000 records takes up to"));
}

TEST_F(BenchScaleTest, SyncsBesideCommits) {
  const auto page = PageOf({"scale", "--scale_spike", "--scale_spike_mib=1", "--scale_rounds=1"});
  EXPECT_EQ(page.at("goals").size(), 1U) << page;
}

TEST_F(BenchScaleTest, PartitionsBesideOne) {
  const auto page = PageOf({"partitions", "--partitions_count=3", "--partitions_clients=2",
                            "--partitions_rounds=1", "--partitions_records=40"});
  EXPECT_EQ(page.at("goals").size(), 2U) << page;
  EXPECT_THAT(page.dump(), testing::HasSubstr("records per sync"));
}

}  // namespace
}  // namespace quire
