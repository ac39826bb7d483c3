#include "server/base/activity.h"

#include <time.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "server/base/activity_sampler.h"

namespace quire {
namespace {

double ThreadCpuSeconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

// Bounded by processor time: a busy machine only makes it take longer.
void BurnSeconds(double seconds) {
  const double end = ThreadCpuSeconds() + seconds;
  while (ThreadCpuSeconds() < end) {
  }
}

uint64_t CountOf(const ActivitySamples& samples, Activity activity) {
  return samples.counts[static_cast<size_t>(activity)];
}

TEST(ActivityTest, ScopesNestAndEndWithTheirBlock) {
  EXPECT_EQ(CurrentActivity(), Activity::kOutside);
  {
    const ActivityScope tree(Activity::kTree);
    EXPECT_EQ(CurrentActivity(), Activity::kTree);
    {
      const ActivityScope cache(Activity::kCache);
      EXPECT_EQ(CurrentActivity(), Activity::kCache);
    }
    EXPECT_EQ(CurrentActivity(), Activity::kTree);
    try {
      const ActivityScope store(Activity::kStore);
      throw std::runtime_error("thrown");
    } catch (const std::runtime_error&) {
      EXPECT_EQ(CurrentActivity(), Activity::kTree);
    }
  }
  EXPECT_EQ(CurrentActivity(), Activity::kOutside);
}

TEST(ActivityTest, EachThreadHasItsOwn) {
  const ActivityScope trail(Activity::kTrail);
  std::thread([] {
    EXPECT_EQ(CurrentActivity(), Activity::kOutside);
    const ActivityScope queue(Activity::kQueue);
    EXPECT_EQ(CurrentActivity(), Activity::kQueue);
  }).join();
  EXPECT_EQ(CurrentActivity(), Activity::kTrail);
}

TEST(ActivitySamplerTest, SamplesFallToTheActivityThatBurnsTheTime) {
  const std::unique_ptr<ActivitySampler> sampler = ActivitySampler::Start();
  ASSERT_NE(sampler, nullptr);
  const ActivitySamples before = sampler->Take();
  {
    const ActivityScope copy(Activity::kCopy);
    BurnSeconds(0.6);
  }
  {
    const ActivityScope trail(Activity::kTrail);
    BurnSeconds(0.2);
  }
  const ActivitySamples burnt = sampler->Take() - before;
  // The kernel's slowest tick gives 100 samples a second.
  EXPECT_GE(CountOf(burnt, Activity::kCopy), 30U);
  EXPECT_GE(CountOf(burnt, Activity::kTrail), 10U);
  EXPECT_GT(CountOf(burnt, Activity::kCopy), CountOf(burnt, Activity::kTrail));
  EXPECT_EQ(CountOf(burnt, Activity::kStore), 0U);
  EXPECT_GE(burnt.user_s + burnt.kernel_s, 0.5);
  EXPECT_GT(burnt.SecondsOf(Activity::kCopy), burnt.SecondsOf(Activity::kTrail));
}

TEST(ActivitySamplerTest, ThreadsThatBeginLaterAreFound) {
  const std::unique_ptr<ActivitySampler> sampler = ActivitySampler::Start();
  ASSERT_NE(sampler, nullptr);
  std::thread([&sampler] {
    const ActivityScope cache(Activity::kCache);
    // Until it is found, however long that takes; a test that cannot succeed runs into its limit.
    while (CountOf(sampler->Take(), Activity::kCache) < 3) BurnSeconds(0.01);
  }).join();
  EXPECT_GE(CountOf(sampler->Take(), Activity::kCache), 3U);
}

TEST(ActivitySamplerTest, ASecondOneIsRefusedUntilTheFirstEnds) {
  std::unique_ptr<ActivitySampler> first = ActivitySampler::Start();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(ActivitySampler::Start(), nullptr);
  first.reset();
  EXPECT_NE(ActivitySampler::Start(), nullptr);
}

TEST(ActivitySamplerTest, JsonNamesEveryActivity) {
  ActivitySamples samples;
  samples.counts[static_cast<size_t>(Activity::kTree)] = 7;
  samples.user_s = 1.5;
  const auto json = nlohmann::json::parse(ActivityJson(samples));
  EXPECT_EQ(json["user_s"], 1.5);
  EXPECT_EQ(json["samples"].size(), kActivities);
  EXPECT_EQ(json["samples"]["tree"], 7);
  EXPECT_EQ(json["samples"]["outside"], 0);
}

}  // namespace
}  // namespace quire
