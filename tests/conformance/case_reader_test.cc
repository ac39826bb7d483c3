// What the reader of case text accepts, and what it says of what it refuses.
#include "gtest/gtest.h"
#include "quire/text.h"
#include "tests/conformance/case.h"
#include "tests/conformance/words.h"

namespace quire::conformance {
namespace {

std::vector<Word> Words(std::string_view line) {
  absl::StatusOr<std::vector<Word>> words = ReadWords(line);
  EXPECT_TRUE(words.ok()) << words.status();
  return words.ok() ? *std::move(words) : std::vector<Word>();
}

// Why a text of these lines is refused, or "read".
std::string Refusal(const std::string& text) {
  const absl::StatusOr<std::vector<Case>> cases = ReadCases("cases/x.txt", text);
  return cases.ok() ? "read" : std::string(ToStd(cases.status().message()));
}

// `line` as the fourth line of a text.
std::string RefusalOfStep(const std::string& line) {
  return Refusal(StrCat("case one\n  shows 7.read\n  open a\n", line, "\n"));
}

TEST(Words, QuotesEscapesAndRepetitions) {
  const std::vector<Word> words = Words("a write \"B 1\\\"\\\\\\x00\\xff\" A1{xy*3}z # rest");
  ASSERT_EQ(words.size(), 4u);
  EXPECT_EQ(words[2].text, std::string("B 1\"\\\0\xff", 7));
  EXPECT_TRUE(words[2].quoted);
  EXPECT_EQ(words[3].text, "A1xyxyxyz");
  EXPECT_FALSE(words[3].quoted);
}

TEST(Words, OptionsAreNameAndValue) {
  const std::vector<Word> words = Words("compare=2 bytes=\"a=b\" \"c=d\" => 1=2");
  ASSERT_EQ(words.size(), 5u);
  EXPECT_EQ(words[0].option, "compare");
  EXPECT_EQ(words[0].text, "2");
  EXPECT_EQ(words[1].option, "bytes");
  EXPECT_EQ(words[1].text, "a=b");
  EXPECT_EQ(words[2].option, "");
  EXPECT_EQ(words[2].text, "c=d");
  EXPECT_EQ(words[3].text, "=>");
  EXPECT_EQ(words[4].option, "");
}

TEST(Words, RefusesWhatIsNotClosed) {
  EXPECT_FALSE(ReadWords("a \"b").ok());
  EXPECT_FALSE(ReadWords("a \"b\\y\"").ok());
  EXPECT_FALSE(ReadWords("a {b*}").ok());
  EXPECT_FALSE(ReadWords("a {b*99999999999}").ok());
  EXPECT_FALSE(ReadWords("a {b").ok());
}

TEST(Cases, HeadingsAndStepsAreRead) {
  const auto cases = ReadCases("cases/x.txt",
                               "# text\n"
                               "case one\n"
                               "  title what it is about\n"
                               "  shows 7.read 9.queue\n"
                               "  file keylen=3 rec=50\n"
                               "  only volume router because \"of a reason\"\n"
                               "  cut B C D\n"
                               "  records AA1 \"AA2 x\"\n"
                               "  open a mode=2\n"
                               "  a read => AA1 warning 9\n"
                               "  a& readlock\n"
                               "  a await => error 40 \"cycle\" \"{a}\"\n"
                               "  a scan => nothing\n");
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_EQ(cases->size(), 1u);
  const Case& one = (*cases)[0];
  EXPECT_EQ(one.id, "one");
  EXPECT_EQ(one.line, 2);
  EXPECT_EQ(one.title, "what it is about");
  EXPECT_EQ(one.shows, (std::vector<std::string>{"7.read", "9.queue"}));
  EXPECT_EQ(one.attributes.key_length, 3u);
  EXPECT_EQ(one.attributes.record_bytes, 50u);
  EXPECT_EQ(one.only, (std::vector<std::string>{"volume", "router"}));
  EXPECT_EQ(one.because, "of a reason");
  EXPECT_EQ(one.cut, (std::vector<std::string>{"B", "C", "D"}));
  EXPECT_EQ(one.records, (std::vector<std::string>{"AA1", "AA2 x"}));
  ASSERT_EQ(one.steps.size(), 5u);
  EXPECT_EQ(one.steps[0].word, "open");
  EXPECT_EQ(*one.steps[0].Option("mode"), "2");
  EXPECT_EQ(one.steps[1].line, 10);
  EXPECT_EQ(one.steps[1].expected.warning, 9);
  EXPECT_EQ(*one.steps[1].expected.values, std::vector<std::string>{"AA1"});
  EXPECT_EQ(one.steps[2].manner, Step::Manner::kStartWaits);
  EXPECT_EQ(one.steps[3].expected.error, 40);
  EXPECT_EQ(one.steps[3].expected.fragments, (std::vector<std::string>{"cycle", "{a}"}));
  EXPECT_TRUE(one.steps[4].expected.values->empty());
}

TEST(Cases, ErrorsNamePathAndLine) {
  EXPECT_EQ(RefusalOfStep("  a reed => A1"), "cases/x.txt:4: no step is called reed");
  EXPECT_EQ(RefusalOfStep("  a read"), "cases/x.txt:4: => must say what read answers");
  EXPECT_EQ(RefusalOfStep("  a read =>"), "cases/x.txt:4: nothing stands behind =>");
  EXPECT_EQ(RefusalOfStep("  a write"), "cases/x.txt:4: write needs more words");
  EXPECT_EQ(RefusalOfStep("  a write A1 B1"), "cases/x.txt:4: write takes no B1");
  EXPECT_EQ(RefusalOfStep("  a keyposition A1 compair=1"),
            "cases/x.txt:4: keyposition has no option compair=");
  EXPECT_EQ(RefusalOfStep("  a read => error"), "cases/x.txt:4: a number must follow error");
  EXPECT_EQ(RefusalOfStep("  a& close"), "cases/x.txt:4: close cannot be started");
  EXPECT_EQ(RefusalOfStep("  a& read => A1"),
            "cases/x.txt:4: the answer of a started step stands behind: OPEN await =>");
  EXPECT_EQ(RefusalOfStep("  A read => A1"),
            "cases/x.txt:4: A is neither a step nor an open and its step");
  EXPECT_EQ(RefusalOfStep("  a read => \"A1"), "cases/x.txt:4: a quote is not closed");
  EXPECT_EQ(Refusal("open a\n"), "cases/x.txt:1: a text begins with: case ID");
  EXPECT_EQ(Refusal("case One\n"), "cases/x.txt:1: an id has small letters, digits and -");
  EXPECT_EQ(Refusal("case one\n  file keylon=2\n"), "cases/x.txt:2: no attribute is called keylon");
  EXPECT_EQ(Refusal("case one\n  shows 7.read\ncase two\n"), "cases/x.txt:3: the case has no step");
  EXPECT_EQ(Refusal("case one\n  open a\n"), "cases/x.txt:3: the case shows no row");
  EXPECT_EQ(Refusal("case one\n  only router\n"),
            "cases/x.txt:2: only SET-UP because \"the reason\"");
}

}  // namespace
}  // namespace quire::conformance
