#include "client/bench/scale/scale_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quire {
namespace bench {
namespace {

// All goals met, whatever the number of records.
StepFigures GoodStep(uint64_t records) {
  StepFigures step;
  step.load.records = records;
  step.load.record_bytes = 1000;
  step.load.placed_s = static_cast<double>(records) / 1e5;
  step.load.cpu_s = static_cast<double>(records) / 2e5;
  step.load.written_bytes = static_cast<double>(records) * 1200;
  step.load.memory_bytes = 100;
  step.load.memory_limit_bytes = 200;
  step.load.stall_read_ms = 20;
  step.load.cached_read_us = 3;
  step.reopen.uncached_read_us = {80, 90};
  step.reopen.pread_us = {80, 80};
  step.disc_write_bytes_per_s = 1e9;
  return step;
}

std::vector<bool> Met(const std::vector<StepRounds>& steps) {
  std::vector<bool> met;
  const ResultPage page = ScalePage(steps, "");
  for (const PageGoal& goal : page.goals()) met.push_back(goal.met);
  return met;
}

TEST(ScalePageTest, GoalsCompareTheLastStepWithTheFirst) {
  const StepFigures first = GoodStep(1000);
  EXPECT_THAT(Met({{first}, {GoodStep(100000)}}), testing::Each(true));

  StepFigures slow = GoodStep(100000);
  slow.load.placed_s *= 1.4;
  EXPECT_THAT(Met({{first}, {slow}}), testing::ElementsAre(false, true, true, true, true));
  // Slower, but as fast as the disc writes.
  slow.disc_write_bytes_per_s = slow.load.written_bytes / slow.load.placed_s / 0.85;
  EXPECT_THAT(Met({{first}, {slow}}), testing::Each(true));

  StepFigures busy = GoodStep(100000);
  busy.load.cpu_s *= 1.4;
  EXPECT_THAT(Met({{first}, {busy}}), testing::ElementsAre(false, true, true, true, true));
}

TEST(ScalePageTest, ReadsStallsAndMemoryAreGoals) {
  const StepFigures first = GoodStep(1000);
  StepFigures bad = GoodStep(100000);
  bad.load.cached_read_us = 4;
  bad.reopen.uncached_read_us = {120, 130};
  bad.load.stall_audit_ms = 101;
  bad.load.memory_bytes = 201;
  EXPECT_THAT(Met({{first}, {bad}}), testing::ElementsAre(true, false, false, false, false));
}

TEST(ScalePageTest, TheWorstRoundOfAnyStepCountsForStallsAndMemory) {
  StepFigures bad = GoodStep(1000);
  bad.load.stall_load_ms = 150;
  bad.load.memory_bytes = 300;
  const std::vector<StepRounds> steps = {{GoodStep(1000), bad, GoodStep(1000)}, {GoodStep(9000)}};
  EXPECT_THAT(Met(steps), testing::ElementsAre(true, true, true, false, false));
}

TEST(ScalePageTest, OneStepHasNoGrowth) {
  const ResultPage page = ScalePage({{GoodStep(1000)}}, "");
  EXPECT_FALSE(page.goals().at(0).measured);
  EXPECT_FALSE(page.goals().at(1).measured);
  EXPECT_THAT(RenderPageText(page), testing::HasSubstr("records redone"));
}

}  // namespace
}  // namespace bench
}  // namespace quire
