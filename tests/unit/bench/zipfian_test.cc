#include "client/bench/peers/zipfian.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace quire {
namespace bench {
namespace {

constexpr uint64_t kItems = 1000;
constexpr int kDraws = 400'000;

// What the distribution promises: item i in proportion to 1 / (i + 1)^0.99.
double ShareOf(uint64_t item) {
  double zeta = 0;
  for (uint64_t i = 1; i <= kItems; ++i) zeta += std::pow(1.0 / static_cast<double>(i), 0.99);
  return std::pow(1.0 / static_cast<double>(item + 1), 0.99) / zeta;
}

TEST(ZipfianTest, ItemsComeInTheirShares) {
  const Zipfian zipfian(kItems);
  SplitMix64 random(1);
  std::vector<int> counts(kItems, 0);
  for (int i = 0; i < kDraws; ++i) ++counts.at(zipfian.Next(&random));
  // The first two are exact in Gray's method, the others near.
  for (const uint64_t item : {uint64_t{0}, uint64_t{1}}) {
    EXPECT_NEAR(counts[item] / double{kDraws}, ShareOf(item), 0.01);
  }
  int half = 0;
  double half_share = 0;
  for (uint64_t item = 0; item < kItems / 2; ++item) {
    half += counts[item];
    half_share += ShareOf(item);
  }
  EXPECT_NEAR(half / double{kDraws}, half_share, 0.03);
}

TEST(ZipfianTest, GrowingIsAsMakingItLarger) {
  Zipfian grown(10);
  grown.Grow(kItems);
  const Zipfian whole(kItems);
  SplitMix64 first(2);
  SplitMix64 second(2);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(grown.Next(&first), whole.Next(&second));
}

TEST(ZipfianTest, ScrambledItemsLieAllOverAndSomeAreStillPopular) {
  const Zipfian zipfian(kItems);
  SplitMix64 random(3);
  std::vector<int> counts(kItems, 0);
  for (int i = 0; i < kDraws; ++i) ++counts.at(zipfian.NextScrambled(&random));
  const auto most = std::max_element(counts.begin(), counts.end());
  EXPECT_GT(*most / double{kDraws}, 0.1);
  EXPECT_NE(most, counts.begin());
}

}  // namespace
}  // namespace bench
}  // namespace quire
