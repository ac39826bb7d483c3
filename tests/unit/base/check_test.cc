#include "server/base/check.h"

#include "gtest/gtest.h"

namespace quire {
namespace {

TEST(CheckTest, BrokenInvariantStopsTheProcessAndNamesItself) {
  QUIRE_CHECK(1 + 1 == 2);
  EXPECT_DEATH(QUIRE_CHECK(1 + 1 == 3), "check_test.cc:[0-9]+: invariant broken: 1 \\+ 1 == 3");
}

TEST(CheckTest, CostlyInvariantIsEvaluatedInCheckedBuildsOnly) {
  int evaluated = 0;
  QUIRE_INVARIANT(++evaluated > 0);
#ifdef QUIRE_CHECKED
  EXPECT_EQ(evaluated, 1);
  EXPECT_DEATH(QUIRE_INVARIANT(evaluated == 0), "invariant broken");
#else
  EXPECT_EQ(evaluated, 0);
#endif
}

}  // namespace
}  // namespace quire
