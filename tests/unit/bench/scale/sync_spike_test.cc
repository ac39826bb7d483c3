#include "client/bench/scale/sync_spike.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/bench/work_folder.h"

namespace quire {
namespace bench {
namespace {

TEST(SyncSpikeTest, EveryKindHasItsRounds) {
  const absl::StatusOr<WorkFolder> folder = WorkFolder::Make("", /*keep=*/false);
  ASSERT_TRUE(folder.ok()) << folder.status();
  const absl::StatusOr<std::vector<SpikeFigures>> figures =
      RunSyncSpike({.directory = folder->path(),
                    .commit_bytes = {0, 1 << 20},
                    .ways = {AppendWay::kFdatasync},
                    .rounds = 2,
                    .quiet_appends = 10,
                    .commits = 1});
  ASSERT_TRUE(figures.ok()) << figures.status();
  ASSERT_EQ(figures->size(), 2U);
  EXPECT_EQ(figures->at(0).p99_us.size(), 2U);
  EXPECT_TRUE(figures->at(0).commit_ms.empty());
  EXPECT_EQ(figures->at(1).longest_us.size(), 2U);
  EXPECT_EQ(figures->at(1).commit_ms.size(), 2U);
}

TEST(SyncSpikeTest, TheLongestDecides) {
  SpikeFigures figures;
  figures.commit_bytes = 1 << 20;
  figures.p50_us = {1};
  figures.p99_us = {2};
  figures.longest_us = {100000};
  EXPECT_TRUE(SpikePage({figures}).GoalsMet());
  figures.longest_us = {100001};
  EXPECT_FALSE(SpikePage({figures}).GoalsMet());
  figures.commit_bytes = 0;  // nothing beside it: not what is asked for
  EXPECT_TRUE(SpikePage({figures}).GoalsMet());
}

}  // namespace
}  // namespace bench
}  // namespace quire
