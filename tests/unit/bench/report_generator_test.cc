#include "client/bench/report_generator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "client/bench/byte_source.h"
#include "client/bench/report_reader.h"
#include "client/bench/report_records.h"
#include "client/bench/text_file.h"
#include "quire/error.h"
#include "tests/unit/bench/test_text.h"

namespace quire {
namespace bench {
namespace {

std::string TextOf(const GeneratorOptions& options) {
  ReportGenerator generator(options);
  std::string text;
  while (generator.AppendNext(&text)) {
  }
  return text;
}

TEST(ReportGeneratorTest, GoldenText) {
  ExpectGolden("bench_report.txt", TextOf({.records = 5, .seed = 7}));
}

TEST(ReportGeneratorTest, TheSeedDecides) {
  EXPECT_EQ(TextOf({.records = 50, .seed = 3}), TextOf({.records = 50, .seed = 3}));
  EXPECT_NE(TextOf({.records = 50, .seed = 3}), TextOf({.records = 50, .seed = 4}));
}

TEST(ReportGeneratorTest, KeysRunIn100RisingRunsFedInTurn) {
  const std::string text = TextOf({.records = 12346, .seed = 1});
  ReportReader reader(MemoryBytes(text));
  ReportBlock block;
  uint64_t n = 0;
  for (; n < 12346; ++n) {
    const absl::StatusOr<bool> more = reader.Next(&block);
    ASSERT_TRUE(more.ok() && *more) << more.status();
    if (n == 0) {
      EXPECT_EQ(block.key, "00000000000");
    } else if (n == 99) {
      EXPECT_EQ(block.key, "00990000000");
    } else if (n == 12345) {
      EXPECT_EQ(block.key, "00450000123");
    }
  }
  const absl::StatusOr<bool> end = reader.Next(&block);
  EXPECT_TRUE(end.ok() && !*end);
}

TEST(ReportGeneratorTest, BlocksKeepTheirLineBounds) {
  const std::string text = TextOf({.records = 2000, .seed = 5});
  uint64_t shortest = 1000;
  uint64_t longest = 0;
  size_t begin = 0;
  for (size_t end; (end = text.find("\n\n", begin)) != std::string::npos; begin = end + 2) {
    const auto from = text.begin() + static_cast<ptrdiff_t>(begin);
    const auto to = text.begin() + static_cast<ptrdiff_t>(end + 2);
    const auto lines = static_cast<uint64_t>(std::count(from, to, '\n'));
    shortest = std::min(shortest, lines);
    longest = std::max(longest, lines);
  }
  EXPECT_EQ(begin, text.size());
  EXPECT_EQ(shortest, kMinReportLines);
  EXPECT_EQ(longest, kMaxReportLines);
}

TEST(ReportGeneratorTest, TheLongestBlocksFitTheArticlesRecord) {
  const std::string text = TextOf({.records = 3000, .seed = 2, .lines_min = kMaxReportLines});
  ReportRecords records(MemoryBytes(text), kArticleRecordBytes);
  std::string record;
  uint64_t count = 0;
  for (;; ++count) {
    const absl::StatusOr<bool> more = records.Next(&record);
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
  }
  EXPECT_EQ(count, 3000u);
}

TEST(ReportGeneratorTest, OptionsAreChecked) {
  for (const GeneratorOptions& bad :
       {GeneratorOptions{.records = 0}, GeneratorOptions{.records = kMaxGeneratedRecords + 1},
        GeneratorOptions{.lines_min = 7}, GeneratorOptions{.lines_max = 41},
        GeneratorOptions{.lines_min = 20, .lines_max = 19}}) {
    EXPECT_EQ(NumberOf(ReportGenerator::Check(bad)), ErrorNumber::kBadParameter);
  }
  EXPECT_TRUE(ReportGenerator::Check({}).ok());
}

TEST(ReportGeneratorTest, WritesTheWholeTextOrNothing) {
  const TestFolder folder;
  const std::string path = folder.path() + "/report.txt";
  uint64_t told = 0;
  ASSERT_TRUE(WriteReport({.records = 3000, .seed = 9}, path, [&](uint64_t done) {
                told = done;
                return true;
              }).ok());
  EXPECT_EQ(told, 3000u);
  const absl::StatusOr<std::string> text = ReadTextFile(path);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, TextOf({.records = 3000, .seed = 9}));

  const std::string stopped = folder.path() + "/stopped.txt";
  EXPECT_FALSE(
      WriteReport({.records = 3000, .seed = 9}, stopped, [](uint64_t) { return false; }).ok());
  EXPECT_EQ(NumberOf(ReadTextFile(stopped).status()), ErrorNumber::kNotFound);
}

}  // namespace
}  // namespace bench
}  // namespace quire
