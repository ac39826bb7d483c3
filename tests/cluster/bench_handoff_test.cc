// quire-bench handoff, once and small.
#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

class BenchHandoffTest : public ClusterTest {};

TEST_F(BenchHandoffTest, EveryPrimitiveAndEveryPathHasFigures) {
  const std::string path = StrCat(folder(), "/page.json");
  const CommandResult result =
      Run("quire-bench", {"handoff", "--handoff_turns=50", "--handoff_rounds=1", "--handoff_ms=10",
                          "--handoff_records=200", "--json", path});
  ASSERT_EQ(result.exit_code, 0) << result.output;
  const auto sections = nlohmann::json::parse(ReadWholeFile(path)).at("sections");
  EXPECT_EQ(sections.at(0).at("rows").size(), 12U);  // primitives
  EXPECT_EQ(sections.at(2).at("rows").size(), 4U);   // kinds of wake-up
  // Two kinds of request, three numbers of clients, four wake-ups.
  ASSERT_EQ(sections.at(3).at("rows").size(), 24U);
  for (const auto& row : sections.at(3).at("rows")) EXPECT_NE(row.at(3), "0") << row;
}

TEST_F(BenchHandoffTest, AWakeUpThatDoesNotExistIsRefused) {
  const CommandResult result = Run("quire-volume", {"--name", "$DATA01", "--directory",
                                                    StrCat(folder(), "/v"), "--handoff", "pigeon"});
  EXPECT_EQ(result.exit_code, 2) << result.output;
}

}  // namespace
}  // namespace quire
