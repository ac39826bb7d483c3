#include "client/bench/expected.h"

#include <gtest/gtest.h>

#include "client/bench/report_generator.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

TEST(ExpectedTest, TheArticleSpeaksForItsNumberOfRecords) {
  const ExpectedFigures a = ExpectedOf(GoodRun(Config::kA, false, kArticleRecords));
  EXPECT_EQ(a.requests->value, 135068);
  EXPECT_EQ(a.block_splits->value, 67564);
  EXPECT_EQ(a.block_splits->source, "article");
  EXPECT_EQ(a.index_levels->value, 3);
  EXPECT_EQ(a.eof->value, 278822912);
  EXPECT_EQ(a.cache_write_cleans->value, 474712);
  const ExpectedFigures b = ExpectedOf(GoodRun(Config::kB, true, kArticleRecords));
  EXPECT_EQ(b.driver_output_calls->value, 542749);
  EXPECT_FALSE(b.cache_write_hits.has_value());  // R-C5
}

// R-M2: the article gives no EOF and levels for C, the model does.
TEST(ExpectedTest, RM2TheModelGivesEofAndLevelsOfC) {
  const ExpectedFigures c = ExpectedOf(GoodRun(Config::kC, false, kArticleRecords));
  EXPECT_EQ(c.requests->value, 135065 + 33);
  EXPECT_EQ(c.cache_hits->value, 335225);
  EXPECT_EQ(c.index_levels->value, 2);
  EXPECT_EQ(c.index_levels->source, "model");
  EXPECT_EQ(c.eof->value, 68045 * 4096);
  EXPECT_EQ(c.eof->source, "model");
}

TEST(ExpectedTest, AuditCountsAsBufferedDoes) {
  const auto same = [](Config audited, Config buffered) {
    const ExpectedFigures a = ExpectedOf(GoodRun(audited, true, kArticleRecords));
    const ModelCounters& model = ModelOf(buffered, kArticleRecords);
    EXPECT_EQ(a.block_splits->source, "model");
    EXPECT_EQ(a.block_splits->value, static_cast<int64_t>(model.block_splits));
    EXPECT_EQ(a.cache_hits->value, static_cast<int64_t>(model.cache_hits));
    EXPECT_EQ(a.driver_output_calls->value, static_cast<int64_t>(model.driver_output_calls()));
    EXPECT_EQ(a.eof->value, static_cast<int64_t>(model.eof_bytes));
    EXPECT_FALSE(a.cache_write_hits.has_value());
  };
  same(Config::kD, Config::kB);
  same(Config::kE, Config::kC);
}

TEST(ExpectedTest, OtherNumbersGoByTheModelAndOtherShapesByNothing) {
  RunResult run = GoodRun(Config::kA, false, kQuickRecords);
  EXPECT_EQ(ExpectedOf(run).block_splits->value, 6799);
  EXPECT_EQ(ExpectedOf(run).block_splits->source, "model");
  run.record_bytes = 800;
  EXPECT_FALSE(ExpectedOf(run).block_splits.has_value());
  EXPECT_TRUE(ExpectedOf(run).requests.has_value());
}

}  // namespace
}  // namespace bench
}  // namespace quire
