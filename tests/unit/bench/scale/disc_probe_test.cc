#include "client/bench/scale/disc_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "client/bench/work_folder.h"
#include "quire/error.h"

namespace quire {
namespace bench {
namespace {

TEST(DiscProbeTest, RatesAreMeasuredAndNothingStays) {
  const absl::StatusOr<WorkFolder> folder = WorkFolder::Make("", /*keep=*/false);
  ASSERT_TRUE(folder.ok()) << folder.status();
  const absl::StatusOr<double> rate = SustainedWriteRate(folder->path(), 4 << 20);
  // A file system in memory cannot be written past its cache.
  if (NumberOf(rate.status()) == ErrorNumber::kBadParameter) GTEST_SKIP() << rate.status();
  ASSERT_TRUE(rate.ok()) << rate.status();
  EXPECT_GT(*rate, 0);
  EXPECT_TRUE(std::filesystem::is_empty(folder->path()));

  const std::string path = folder->path() + "/file";
  std::ofstream(path) << std::string(8 * 4096, 'x');
  const absl::StatusOr<double> micros = RandomReadMicros(path, 5, 1);
  ASSERT_TRUE(micros.ok()) << micros.status();
  EXPECT_GT(*micros, 0);
  EXPECT_TRUE(DropPageCache(folder->path()).ok());
}

TEST(DiscProbeTest, WhatIsNotThereIsAnError) {
  EXPECT_FALSE(SustainedWriteRate("/nowhere/at/all", 1).ok());
  EXPECT_FALSE(RandomReadMicros("/nowhere/at/all", 1, 1).ok());
  EXPECT_FALSE(DropPageCache("/nowhere/at/all").ok());
  EXPECT_FALSE(FreeDiscBytes("/nowhere/at/all").ok());
}

TEST(DiscProbeTest, AStepWantsItsDataAndMore) {
  EXPECT_GT(DiscBytesWanted(1000000, 2000), 2000000000U);
  EXPECT_GT(DiscBytesWanted(2000000, 2000), DiscBytesWanted(1000000, 2000));
}

}  // namespace
}  // namespace bench
}  // namespace quire
