#include "client/bench/compare.h"

#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

SavedRun Saved(const std::string& title, double elapsed_s) {
  return {.title = title,
          .elapsed_s = elapsed_s,
          .placed_s = 2 * elapsed_s,
          .records_per_s = 100 / elapsed_s,
          .client_cpu_s = 1,
          .server_cpu_s = 0};
}

TEST(CompareTest, MedianRatiosOfCommonKinds) {
  const Table table = CompareMeasurements(
      {Saved("A", 10), Saved("A", 30), Saved("A", 20), Saved("B", 5), Saved("only first", 1)},
      {Saved("A", 10), Saved("B", 4), Saved("B", 6), Saved("only second", 1)});
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0],
            (std::vector<std::string>{"A", "3 : 1", "0.500", "0.500", "2.000", "1.000", ""}));
  EXPECT_EQ(table.rows[1][1], "1 : 2");
  EXPECT_EQ(table.rows[1][2], "1.000");
}

}  // namespace
}  // namespace bench
}  // namespace quire
