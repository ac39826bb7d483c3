#include "client/bench/splitmix.h"

#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

TEST(SplitMix64Test, KnownFirstNumbers) {
  SplitMix64 random(1234567);  // published test vector of the algorithm
  EXPECT_EQ(random.Next(), 6457827717110365317u);
  EXPECT_EQ(random.Next(), 3203168211198807973u);
  EXPECT_EQ(random.Next(), 9817491932198370423u);
}

TEST(SplitMix64Test, Bounds) {
  SplitMix64 random(1);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(random.Below(3), 3u);
    const uint64_t number = random.Between(5, 7);
    EXPECT_GE(number, 5u);
    EXPECT_LE(number, 7u);
  }
}

}  // namespace
}  // namespace bench
}  // namespace quire
