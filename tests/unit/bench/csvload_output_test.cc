#include "client/bench/csvload_output.h"

#include <gtest/gtest.h>

#include "client/bench/report_generator.h"
#include "client/bench/text_file.h"
#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

std::vector<RunResult> Runs() {
  std::vector<RunResult> runs;
  for (bool pipelined : {false, true}) {
    for (Config config : {Config::kA, Config::kB, Config::kC, Config::kD, Config::kE}) {
      runs.push_back(GoodRun(config, pipelined, kArticleRecords));
    }
  }
  return runs;
}

TEST(CsvloadOutputTest, GoldenReport) {
  const std::vector<RunResult> runs = Runs();
  ExpectGolden("bench_csvload.txt", RenderCsvload(runs, CheckRuns(runs)));
}

TEST(CsvloadOutputTest, RunLineSaysTimesAndRate) {
  EXPECT_EQ(RunLine(GoodRun(Config::kB, false, kArticleRecords)),
            "B                10.00 s to the last reply, 10.40 s to the control point, 13,507 "
            "records/s");
}

TEST(CsvloadOutputTest, WrapsWords) {
  EXPECT_EQ(WrapText("one two  three", 8), "one two\nthree\n");
  EXPECT_EQ(WrapText("unbreakable", 4), "unbreakable\n");
}

TEST(CsvloadOutputTest, SavesWhatIsAskedForAndMakesTheFolder) {
  const TestFolder folder;
  const std::vector<RunResult> runs = Runs();
  const std::string json = folder.path() + "/new/folder/csvload.json";
  ASSERT_TRUE(SaveCsvload(runs, CheckRuns(runs), json, "").ok());
  EXPECT_TRUE(ReadTextFile(json).ok());
  const std::string html = folder.path() + "/csvload.html";
  ASSERT_TRUE(SaveCsvload(runs, CheckRuns(runs), "", html).ok());
  EXPECT_TRUE(ReadTextFile(html).ok());
  EXPECT_EQ(NumberOf(SaveCsvload(runs, {}, folder.path(), "")), ErrorNumber::kBadParameter);
}

}  // namespace
}  // namespace bench
}  // namespace quire
