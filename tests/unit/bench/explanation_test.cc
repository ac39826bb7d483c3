#include "client/bench/explanation.h"

#include <gtest/gtest.h>

#include "client/bench/report_generator.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

bool Says(const std::vector<std::string>& paragraphs, const std::string& words) {
  for (const std::string& paragraph : paragraphs) {
    if (paragraph.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST(ExplanationTest, SaysByHowMuchAndWhyBufferedIsFaster) {
  const std::vector<std::string> words = Explain(
      {GoodRun(Config::kA, false, kArticleRecords), GoodRun(Config::kB, false, kArticleRecords)});
  EXPECT_TRUE(Says(words, "BUFFERED took 10.0 s where write-through took 50.0 s: 5.0 times"));
  EXPECT_TRUE(Says(words, "135,064 more syncs of 300 us each, which makes 40.5 s"));
}

TEST(ExplanationTest, RC5SaysWhyWriteHitsDiffer) {
  EXPECT_TRUE(Says(Explain({GoodRun(Config::kC, false, kArticleRecords)}),
                   "differ from the article's by design"));
  EXPECT_FALSE(Says(Explain({GoodRun(Config::kA, false, kArticleRecords)}), "by design"));
}

TEST(ExplanationTest, SaysWhatOnlyTheRunsAtHandShow) {
  EXPECT_FALSE(Says(Explain({GoodRun(Config::kB, false, kArticleRecords)}), "BUFFERED took"));
  const std::vector<std::string> all = Explain(
      {GoodRun(Config::kA, false, kQuickRecords), GoodRun(Config::kA, true, kQuickRecords),
       GoodRun(Config::kB, false, kQuickRecords), GoodRun(Config::kC, false, kQuickRecords)});
  EXPECT_TRUE(Says(all, "2,100 syncs served what took 13,565 before"));
  EXPECT_TRUE(Says(all, "Block-Splits differ by 9"));
  EXPECT_TRUE(Says(all, "these runs of 13,565 are held against a model"));
}

TEST(ExplanationTest, SaysWhatAuditCosts) {
  RunResult d = GoodRun(Config::kD, true, kArticleRecords);
  d.elapsed_s = 2;
  const std::vector<std::string> words = Explain(
      {GoodRun(Config::kA, true, kArticleRecords), GoodRun(Config::kB, true, kArticleRecords), d});
  EXPECT_TRUE(Says(words, "256 MiB (write-through: 1,024 MiB of block images) in 2,100 syncs"));
  EXPECT_TRUE(Says(words, "AUDIT reaches 95 % of the rate of BUFFERED to the last reply"));
}

}  // namespace
}  // namespace bench
}  // namespace quire
