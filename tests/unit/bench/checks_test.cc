#include "client/bench/checks.h"

#include <gtest/gtest.h>

#include <functional>

#include "client/bench/report_generator.h"
#include "quire/text.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

std::vector<RunResult> AllRuns(uint64_t records) {
  std::vector<RunResult> runs;
  for (bool pipelined : {false, true}) {
    for (Config config : {Config::kA, Config::kB, Config::kC, Config::kD, Config::kE}) {
      runs.push_back(GoodRun(config, pipelined, records));
    }
  }
  return runs;
}

// The names of missed checks, "run: name", joined by "; ".
std::string Missed(const std::vector<Check>& checks) {
  std::string missed;
  for (const Check& check : checks) {
    if (!check.met) StrAppend(&missed, missed.empty() ? "" : "; ", check.run, ": ", check.name);
  }
  return missed;
}

std::string MissedAfter(const std::function<void(RunResult*)>& change, Config config = Config::kA) {
  RunResult run = GoodRun(config, false, kArticleRecords);
  change(&run);
  return Missed(CheckRuns({run}));
}

TEST(ChecksTest, GoodRunsMeetAll) {
  for (uint64_t records : {kArticleRecords, kQuickRecords}) {
    std::vector<RunResult> runs = AllRuns(records);
    if (records == kQuickRecords) {
      for (RunResult& run : runs) run.elapsed_s /= 10;
    }
    const std::vector<Check> checks = CheckRuns(runs);
    EXPECT_EQ(Missed(checks), "");
    EXPECT_TRUE(AllMet(checks, CheckKind::kCounter));
    EXPECT_TRUE(AllMet(checks, CheckKind::kTime));
    EXPECT_GT(checks.size(), 50u);
  }
}

TEST(ChecksTest, IdentitiesAreExact) {
  EXPECT_EQ(MissedAfter([](RunResult* run) { run->open.cache_read_misses = 1; }),
            "A: I1: Driver-Input = Cache-Hits + read misses");
  EXPECT_EQ(MissedAfter([](RunResult* run) { run->open.cache_write_misses = 1; }),
            "A: I2: Driver-Output = Write-Hits + Cleans + write misses");
}

TEST(ChecksTest, ExactFiguresAreExact) {
  EXPECT_EQ(MissedAfter([](RunResult* run) { ++run->open.block_splits; }), "A: Block-Splits");
  EXPECT_EQ(MissedAfter([](RunResult* run) { --run->index_levels; }), "A: INDEX LEVELS");
  EXPECT_EQ(MissedAfter([](RunResult* run) { ++run->open.requests; }), "A: Requests");
  EXPECT_EQ(MissedAfter([](RunResult* run) { run->open.requests -= 30; }, Config::kC),
            "C: Requests");
}

TEST(ChecksTest, NearFiguresMayDifferByOnePercent) {
  const auto with_eof = [](int64_t eof) {
    return MissedAfter([eof](RunResult* run) { run->eof = eof; });
  };
  EXPECT_EQ(with_eof(278822912 * int64_t{100999} / 100000), "");
  EXPECT_EQ(with_eof(278822912 * int64_t{101001} / 100000), "A: EOF");
  EXPECT_EQ(with_eof(278822912 * int64_t{98999} / 100000), "A: EOF");
}

TEST(ChecksTest, EveryNearFigureIsLookedAt) {
  const auto move = [](int64_t* figure) { *figure = *figure * 103 / 100; };
  EXPECT_EQ(MissedAfter([&](RunResult* run) {
              move(&run->open.cache_hits);
              move(&run->open.driver_input_calls);
            }),
            "A: Cache-Hits; A: Driver-Input-Calls");
  EXPECT_EQ(MissedAfter([&](RunResult* run) {
              move(&run->open.cache_write_hits);
              run->open.driver_output_calls =
                  run->open.cache_write_hits + run->open.cache_write_cleans;
            }),
            "A: Cache-Write-Hits");
  EXPECT_EQ(MissedAfter([&](RunResult* run) {
              move(&run->open.cache_write_cleans);
              run->open.driver_output_calls =
                  run->open.cache_write_hits + run->open.cache_write_cleans;
            }),
            "A: Driver-Output-Calls; A: Cache-Write-Cleans");
}

// R-C5: hits and cleans of BUFFERED runs depend on the control points; only their sum is held.
TEST(ChecksTest, RC5WriteHitsOfBufferedRunsAreFree) {
  EXPECT_EQ(MissedAfter(
                [](RunResult* run) {
                  run->open.cache_write_hits = 100;
                  run->open.cache_write_cleans = run->open.driver_output_calls - 100;
                },
                Config::kB),
            "");
}

TEST(ChecksTest, AReadBackThatDiffersIsMissed) {
  EXPECT_EQ(MissedAfter([](RunResult* run) {
              run->verified = false;
              run->difference = "the file ends after 3 of 4 records";
            }),
            "A: read back equals the input");
}

TEST(ChecksTest, RD5MemoryIsBounded) {
  EXPECT_EQ(MissedAfter(
                [](RunResult* run) { run->server_peak_anon_bytes = *run->memory_limit_bytes + 1; }),
            "A: server memory");
  EXPECT_EQ(MissedAfter([](RunResult* run) { run->server_peak_anon_bytes.reset(); }), "");
}

TEST(ChecksTest, InputOfAnotherShapeIsHeldAgainstIdentitiesOnly) {
  EXPECT_EQ(MissedAfter([](RunResult* run) {
              run->in_article_order = false;
              run->open.block_splits = 5;
              run->index_levels = 9;
              run->eof = 1;
            }),
            "");
}

TEST(ChecksTest, TimesAreComparedAndOnlyStrictlyBinding) {
  std::vector<RunResult> runs = AllRuns(kArticleRecords);
  runs[1].elapsed_s = 40;  // BUFFERED hardly faster than its syncs would explain
  for (RunResult& run : runs) {
    if (!run.load_case.one_at_a_time()) run.elapsed_s = 10;
  }
  const std::vector<Check> checks = CheckRuns(runs);
  EXPECT_EQ(Missed(checks),
            "A : B: time BUFFERED saves; A : A pipelined: pipelined write-through; B pipelined: "
            "records per second; D : D pipelined: pipelined AUDIT, over one at a time");
  EXPECT_TRUE(AllMet(checks, CheckKind::kCounter));
  EXPECT_FALSE(AllMet(checks, CheckKind::kTime));
}

TEST(ChecksTest, AuditIsHeldAgainstBufferedByBothFigures) {  // R-M1
  std::vector<RunResult> runs = {GoodRun(Config::kB, true, kArticleRecords),
                                 GoodRun(Config::kD, true, kArticleRecords)};
  EXPECT_EQ(Missed(CheckRuns(runs)), "");
  runs[1].elapsed_s = runs[0].elapsed_s / 0.89;
  EXPECT_EQ(Missed(CheckRuns(runs)), "D : B pipelined: AUDIT : BUFFERED, to the last reply");
  runs[1].elapsed_s = runs[0].elapsed_s / 0.91;
  runs[1].placed_s = runs[0].placed_s / 0.89;
  EXPECT_EQ(Missed(CheckRuns(runs)), "D : B pipelined: AUDIT : BUFFERED, to the control point");
}

}  // namespace
}  // namespace bench
}  // namespace quire
