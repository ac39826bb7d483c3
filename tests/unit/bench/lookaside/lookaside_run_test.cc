// quire-bench lookaside, small: that its ways do what their names say, and the page tells it. No
// figure of time is asked for.
#include "client/bench/lookaside/lookaside_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/bench/lookaside/lookaside_page.h"
#include "nlohmann/json.hpp"
#include "quire/error.h"
#include "tests/support/test_directory.h"

namespace quire {
namespace bench {
namespace {

constexpr uint32_t kRounds = 2;
constexpr uint32_t kPercent = 4;

std::vector<CaseResult> AllSmall() {
  std::vector<CaseResult> results;
  for (const LookasideCase& one : PublishedCases(kPercent)) {
    const TestDirectory directory;
    absl::StatusOr<CaseResult> result = RunCase(one, kRounds, directory.path());
    EXPECT_TRUE(result.ok()) << one.name << ": " << Describe(result.status());
    if (result.ok()) results.push_back(*std::move(result));
  }
  return results;
}

TEST(LookasideRun, WaysDoWhatTheirNamesSay) {
  const std::vector<CaseResult> results = AllSmall();
  ASSERT_EQ(results.size(), PublishedCases(kPercent).size());
  int freezing = 0;
  for (const CaseResult& result : results) {
    SCOPED_TRACE(result.measured.name);
    for (const WayResult& way : result.ways) {
      EXPECT_EQ(way.read_us.size(), kRounds);
      EXPECT_GT(way.read_us.front(), 0);
    }
    if (result.measured.freezing) {
      ++freezing;
      ASSERT_EQ(result.ways.size(), 2u);
      EXPECT_GT(result.ways[0].index_reads.back(), 0);
      EXPECT_EQ(result.ways[0].frozen_blocks, 0);
      EXPECT_GT(result.ways[1].frozen_blocks, 0);
      EXPECT_LE(result.ways[1].index_reads.back(),
                kMostIndexReads * result.ways[0].index_reads.back());
      continue;
    }
    ASSERT_EQ(result.ways.size(), 3u);
    const WayResult& never = result.ways[0];
    const WayResult& always = result.ways[1];
    EXPECT_EQ(never.decisions, 0);
    EXPECT_EQ(always.decisions, 0);
    EXPECT_EQ(never.store_us, 0);  // only `measured` measures
    EXPECT_LE(never.found, always.found);
  }
  EXPECT_EQ(freezing, 1);
  EXPECT_GT(results.front().ways[1].found, results.front().ways[0].found);

  const ResultPage page = LookasidePage(results, kRounds);
  EXPECT_EQ(page.goals().size(), results.size());
  const auto json = nlohmann::json::parse(RenderPageJson(page));
  EXPECT_EQ(json.at("goals").size(), results.size());
  EXPECT_THAT(RenderPageText(page), testing::HasSubstr("few large objects"));
}

}  // namespace
}  // namespace bench
}  // namespace quire
