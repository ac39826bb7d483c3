#include "client/measure/report_options.h"

#include "gtest/gtest.h"
#include "quire/error.h"

namespace quire {
namespace measure {
namespace {

absl::StatusOr<ReportOptions> Parse(std::string_view text) {
  auto tokens = Tokenize(text);
  if (!tokens.ok()) return tokens.status();
  TokenCursor cursor(*std::move(tokens));
  return ParseReportOptions(cursor);
}

TEST(ReportOptionsTest, EveryOption) {
  const auto options = Parse(
      "TOTALS ONLY, ZERO-REPORTS SUPPRESS, RATE ON, BY cache-hits, IF LOCKWAIT-TIME >= 5 SEC, "
      "FROM FILE a.json, TO FILE \"b c.json\"");
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->totals, Totals::kOnly);
  EXPECT_EQ(options->zero_reports, false);
  EXPECT_EQ(options->rate, true);
  EXPECT_EQ(options->by, "CACHE-HITS");
  ASSERT_TRUE(options->condition);
  EXPECT_EQ(options->condition->counter, "LOCKWAIT-TIME");
  EXPECT_EQ(options->condition->comparison, Comparison::kAtLeast);
  EXPECT_EQ(options->condition->value, 5000000);
  EXPECT_EQ(options->from_file, "a.json");
  EXPECT_EQ(options->to_file, "b c.json");
}

TEST(ReportOptionsTest, UnitsScaleTheValue) {
  EXPECT_EQ(Parse("IF REQUESTS > 7")->condition->value, 7);
  EXPECT_EQ(Parse("IF REQUESTS > 7 k")->condition->value, 7000);
  EXPECT_EQ(Parse("IF READ-TIME < 2 HR")->condition->value, 7200000000);
}

TEST(ReportOptionsTest, KeywordsMayBeShortened) {
  const auto options = Parse("TOT INCL, ZERO SUPP, RATE OFF");
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->totals, Totals::kInclude);
  EXPECT_EQ(options->rate, false);
}

TEST(ReportOptionsTest, BadValuesAreRefused) {
  EXPECT_EQ(NumberOf(Parse("IF REQUESTS > many").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Parse("IF REQUESTS > -1").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Parse("IF REQUESTS > 99999999999999999999").status()),
            ErrorNumber::kIllegalCount);
  EXPECT_EQ(NumberOf(Parse("IF REQUESTS > 99999999999999 T").status()), ErrorNumber::kIllegalCount);
  EXPECT_EQ(NumberOf(Parse("IF REQUESTS 5").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Parse("RATE MAYBE").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Parse("FROM a.json").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Parse("RATE ON BY REQUESTS").status()), ErrorNumber::kBadParameter);
  EXPECT_EQ(NumberOf(Parse("").status()), ErrorNumber::kBadParameter);
}

TEST(ReportOptionsTest, WhatIsSaidLiesOverWhatWasSet) {
  ReportOptions base = *Parse("RATE ON, TOTALS ONLY, FROM FILE a");
  const ReportOptions laid = Laid(*Parse("RATE OFF, TO FILE b"), std::move(base));
  EXPECT_EQ(laid.rate, false);
  EXPECT_EQ(laid.totals, Totals::kOnly);
  EXPECT_EQ(laid.from_file, "a");
  EXPECT_EQ(laid.to_file, "b");
}

}  // namespace
}  // namespace measure
}  // namespace quire
