#include "client/bench/runner.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "client/bench/report_generator.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/unit/bench/fake_file_system.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

class RunnerTest : public testing::Test {
 protected:
  RunnerTest() : progress_(false) {
    input_.path = folder_.path() + "/report.txt";
    EXPECT_TRUE(
        WriteReport({.records = 265, .seed = 4}, input_.path, [](uint64_t) { return true; }).ok());
    place_.file_system = &file_system_;
    place_.transport = "grpc";
    place_.server_pids = {getpid()};
    place_.memory_limit_bytes = 1;
    place_.directory = folder_.path();
  }

  absl::StatusOr<RunResult> Run(const LoadCase& load_case) {
    return RunLoad(load_case, input_, place_, 265, &progress_);
  }

  TestFolder folder_;
  FakeFileSystem file_system_;
  InputOptions input_;
  RunPlace place_;
  ProgressBar progress_;
};

TEST_F(RunnerTest, RM2CountersAreTakenAfterCloseAndBeforeTheReadBack) {
  const absl::StatusOr<RunResult> run = Run({.config = Config::kA});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(file_system_.behaviour.calls,
            (std::vector<std::string>{"create", "snapshot $DATA01", "open", "refresh $DATA01",
                                      "close", "snapshot $DATA01", "open", "close"}));
  EXPECT_TRUE(run->verified) << run->difference;
  EXPECT_TRUE(run->in_article_order);
  EXPECT_EQ(run->records, 265u);
  EXPECT_EQ(run->open.requests, 268);
  EXPECT_EQ(run->open.cache_hits, 530);
  EXPECT_EQ(run->disc.trail_syncs, 265);
  EXPECT_EQ(run->disc.store_syncs, 0);  // as many before
  EXPECT_GE(run->placed_s, run->elapsed_s);
  EXPECT_GT(*run->server_peak_anon_bytes, 0u);
  EXPECT_GT(*run->disc_bytes, 0u);
  EXPECT_EQ(run->server->cpu_busy_s, 0);
}

TEST_F(RunnerTest, PartitionsAddUp) {
  const absl::StatusOr<RunResult> run = Run({.config = Config::kC, .in_flight = 32, .batch = 8});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_TRUE(run->verified) << run->difference;
  EXPECT_EQ(run->partitions, 11u);
  EXPECT_EQ(run->open.requests, 11 * 268);  // the double gives each volume the same figures
  EXPECT_EQ(run->eof, 265 * 4096 + 10 * 8192);
  EXPECT_EQ(run->index_levels, 2);
  const std::vector<std::string>& calls = file_system_.behaviour.calls;
  EXPECT_EQ(std::count(calls.begin(), calls.end(), "refresh $DATA11"), 1);
}

TEST_F(RunnerTest, AChangedByteIsFound) {
  file_system_.behaviour.spoil_write = 200;
  const absl::StatusOr<RunResult> run = Run({.config = Config::kB});
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_FALSE(run->verified);
  EXPECT_NE(run->difference.find("differs from the input"), std::string::npos);
}

TEST_F(RunnerTest, AnExistingFileIsNotTouched) {
  const FileName name = FileOf(Config::kA);
  ASSERT_TRUE(file_system_.Create(name, {}).ok());
  EXPECT_EQ(NumberOf(Run({.config = Config::kA}).status()), ErrorNumber::kAlreadyExists);
  EXPECT_EQ(file_system_.files.count(name), 1u);
}

TEST_F(RunnerTest, PurgesWhatItMadeWhenTheRunFailsOrTheVolumesOutliveIt) {
  file_system_.behaviour.fail_write = 100;
  const absl::StatusOr<RunResult> failed = Run({.config = Config::kA});
  EXPECT_EQ(NumberOf(failed.status()), ErrorNumber::kNoDiscSpace);
  EXPECT_NE(ToStd(failed.status().message()).find("report block 100:"), std::string::npos);
  EXPECT_TRUE(file_system_.files.empty());

  file_system_.behaviour = {};
  ASSERT_TRUE(Run({.config = Config::kA}).ok());
  EXPECT_EQ(file_system_.files.size(), 1u);
  file_system_.files.clear();
  place_.purge_after = true;
  ASSERT_TRUE(Run({.config = Config::kA}).ok());
  EXPECT_TRUE(file_system_.files.empty());
}

TEST_F(RunnerTest, DamagedInputEndsTheRun) {
  input_.path = folder_.Make("damaged.txt", "Process x\nCPU 00\n");
  EXPECT_EQ(NumberOf(Run({.config = Config::kA}).status()), ErrorNumber::kBadParameter);
  EXPECT_TRUE(file_system_.files.empty());
}

}  // namespace
}  // namespace bench
}  // namespace quire
