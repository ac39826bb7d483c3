#include "server/cache/keep_policy.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

namespace quire {
namespace {

// Fetches of given costs against a policy; every n-th of them finds its block.
class KeepPolicyTest : public testing::Test {
 protected:
  struct Costs {
    int64_t cached = 100;
    int64_t kept = 1000;
    int64_t bypassed = 1000;
  };

  void Fetch(const Costs& costs, bool hit, bool evicting = true) {
    if (hit) {
      if (policy_.SampleHit()) policy_.AddSample(FetchKind::kCached, costs.cached);
    } else {
      const bool sampled = policy_.SampleMiss();
      const bool keep = policy_.KeepMiss(sampled);
      if (sampled) {
        policy_.AddSample(keep ? FetchKind::kKept : FetchKind::kBypassed,
                          keep ? costs.kept : costs.bypassed);
      }
    }
    policy_.Count(hit, evicting);
  }
  // Windows of fetches of which `percent` find their block, until the policy changes its mind.
  int WindowsUntilDecision(const Costs& costs, uint32_t percent, int most, bool evicting = true) {
    const int64_t before = policy_.decisions();
    for (int window = 0; window < most; ++window) {
      if (policy_.decisions() != before) return window;
      for (uint32_t fetch = 0; fetch < KeepPolicy::kWindow; ++fetch) {
        // Spread so that samples see both kinds.
        Fetch(costs, (fetch * 37 + fetch / 64) % 100 < percent, evicting);
      }
    }
    return most;
  }

  KeepPolicy policy_;
};

// A cached fetch so dear that keeping never pays. How long the policy then rests grows with it:
// with QUIRE_LONG=1 tens of millions of fetches, which take seconds.
int64_t MuchTooDear() {
  return std::getenv("QUIRE_LONG") != nullptr ? 100000 : 8000;
}

TEST_F(KeepPolicyTest, KeepsWhatPays) {
  EXPECT_EQ(WindowsUntilDecision({}, 50, 100), 100);
  EXPECT_TRUE(policy_.keeping());
  EXPECT_NEAR(policy_.cached_ns(), 100, 1);
  EXPECT_NEAR(policy_.bypassed_ns(), 1000, 1);
}

TEST_F(KeepPolicyTest, SomeHitsPayForKeepingThatSeemsToCostNothing) {
  EXPECT_EQ(WindowsUntilDecision({}, 15, 100), 100);
}

TEST_F(KeepPolicyTest, AFewHitsDoNotPayForWhatNoSampleShows) {
  EXPECT_LE(WindowsUntilDecision({}, 5, 100), 3);
  EXPECT_FALSE(policy_.keeping());
}

TEST_F(KeepPolicyTest, StopsWhenKeepingCostsMoreThanItsHitsSave) {
  EXPECT_LE(WindowsUntilDecision({.cached = 100, .kept = 1500, .bypassed = 1000}, 10, 100), 3);
  EXPECT_FALSE(policy_.keeping());
  EXPECT_FALSE(policy_.KeepMiss(false));
}

TEST_F(KeepPolicyTest, StopsWhenCachedFetchesCostMoreWhateverTheHits) {
  EXPECT_LE(WindowsUntilDecision({.cached = 100000}, 60, 100), 3);
  EXPECT_FALSE(policy_.keeping());
}

// What is to come of a cache that still fills is not known: hits count as if they came.
TEST_F(KeepPolicyTest, ACacheThatFillsIsNotJudgedByItsHits) {
  const Costs costs{.cached = 100, .kept = 1500, .bypassed = 1000};
  WindowsUntilDecision(costs, 60, 5, /*evicting=*/false);  // some hits, to know their cost
  EXPECT_EQ(WindowsUntilDecision(costs, 1, 100, /*evicting=*/false), 100);
  EXPECT_LE(WindowsUntilDecision(costs, 1, 100, /*evicting=*/true), 2);
}

TEST_F(KeepPolicyTest, ALostCoreNowAndThenIsNoCost) {
  WindowsUntilDecision({}, 60, 4);
  for (int window = 0; window < 20; ++window) {
    policy_.AddSample(FetchKind::kCached, 10000000);
    policy_.AddSample(FetchKind::kKept, 10000000);
    EXPECT_EQ(WindowsUntilDecision({}, 60, 1), 1) << window;
  }
  EXPECT_TRUE(policy_.keeping());
  EXPECT_NEAR(policy_.cached_ns(), 100, 1);
}

// Hysteresis: one window is no reason, nor is a loss within the margin.
TEST_F(KeepPolicyTest, OneBadWindowOrASmallLossChangesNothing) {
  const Costs costs{.cached = 100, .kept = 1500, .bypassed = 1000};
  for (int round = 0; round < 10; ++round) {
    EXPECT_EQ(WindowsUntilDecision(costs, 60, 3), 3) << round;
    EXPECT_EQ(WindowsUntilDecision(costs, 1, 1), 1) << round;
  }
  policy_ = KeepPolicy();
  EXPECT_EQ(WindowsUntilDecision({.cached = 910}, 50, 100), 100);
}

TEST_F(KeepPolicyTest, ResumesAndStaysWhenCostsHaveChanged) {
  WindowsUntilDecision({.cached = MuchTooDear()}, 60, 100);
  ASSERT_FALSE(policy_.keeping());
  WindowsUntilDecision({}, 0, 1000000);
  EXPECT_TRUE(policy_.keeping());
  EXPECT_EQ(policy_.decisions(), 2);
  EXPECT_EQ(WindowsUntilDecision({}, 60, 1000), 1000);
}

TEST_F(KeepPolicyTest, LetsAFewBlocksGoToMeasureMisses) {
  uint32_t gone = 0;
  for (uint32_t fetch = 0; fetch < 2 * KeepPolicy::kWindow; ++fetch) {
    if (policy_.SampleHit() && policy_.LetGo()) {
      ++gone;
      EXPECT_TRUE(policy_.SampleMiss());
    }
    policy_.Count(true, false);
  }
  EXPECT_EQ(gone, 2 * KeepPolicy::kMostLetGo);
  EXPECT_FALSE(policy_.SampleMiss());
}

// What trials lose stays within kTrialShare of what fetches cost in the long run.
TEST_F(KeepPolicyTest, TrialsAreRationed) {
  const Costs costs{.cached = MuchTooDear()};
  double lost_ns = 0;
  double all_ns = 0;
  int trials = 0;
  WindowsUntilDecision(costs, 60, 100);
  ASSERT_FALSE(policy_.keeping());
  while (trials < 3) {
    const int rest = WindowsUntilDecision(costs, 0, 10000000);
    all_ns += 1000.0 * KeepPolicy::kWindow * rest;
    ASSERT_TRUE(policy_.keeping());
    const int tried = WindowsUntilDecision(costs, 60, 100);
    const auto dearer_ns = static_cast<double>(costs.cached - costs.bypassed);
    lost_ns += 0.6 * dearer_ns * KeepPolicy::kWindow * tried;
    ASSERT_FALSE(policy_.keeping());
    ++trials;
  }
  EXPECT_LT(lost_ns, 1.5 * KeepPolicy::kTrialShare * all_ns);
}

}  // namespace
}  // namespace quire
