// The runner finds what is wrong: each case here fails, at the line it must fail at.
#include "tests/conformance/case_runner.h"

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "quire/text.h"
#include "tests/conformance/outcome.h"
#include "tests/conformance/partition_cut.h"
#include "tests/conformance/set_up.h"

namespace quire::conformance {
namespace {

class CaseRunnerTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { running_ = StartSetUp("embedded"); }
  static void TearDownTestSuite() { running_.reset(); }

  // The failures of a case with record A1 and open a, whose steps are lines 5 and on.
  std::vector<Failure> Run(const std::string& steps) {
    const auto cases = ReadCases("x.txt", StrCat("case one\n  shows 7.read\n  records A1 B1\n"
                                                 "  open a\n",
                                                 steps));
    EXPECT_TRUE(cases.ok()) << cases.status();
    if (!cases.ok() || running_ == nullptr) return {{0, "the case was not run"}};
    return RunCase((*cases)[0], running_->place(), ++runs_);
  }

  void ExpectFailure(const std::string& steps, int line, const std::string& what) {
    const std::vector<Failure> failures = Run(steps);
    ASSERT_EQ(failures.size(), 1u) << steps;
    EXPECT_EQ(failures[0].line, line) << steps;
    EXPECT_NE(failures[0].what.find(what), std::string::npos) << failures[0].what;
  }

  static inline std::unique_ptr<RunningSetUp> running_;
  static inline uint32_t runs_ = 0;
};

TEST_F(CaseRunnerTest, PassesWhatIsRight) {
  EXPECT_TRUE(Run("a read-key A1 => A1\na write A1 => error 10\na scan => A1 B1\n").empty());
}

TEST_F(CaseRunnerTest, AnotherRecordFails) {
  ExpectFailure("a read-key A1 => A1\na read-key B1 => A1\n", 6, "answered: B1");
  ExpectFailure("a scan => A1\n", 5, "answered: A1 B1");
  ExpectFailure("a scan => nothing\n", 5, "answered: A1 B1");
  ExpectFailure("a read-key A1 => ok\n", 5, "answered: A1");
}

TEST_F(CaseRunnerTest, AnotherNumberFails) {
  ExpectFailure("a write C1 => error 10\n", 5, "answered: ok");
  ExpectFailure("a write A1\n", 5, "answered: error 10");
  ExpectFailure("a write A1 => error 11\n", 5, "answered: error 10");
  ExpectFailure("a read-key A1 => A1 warning 9\n", 5, "answered: A1");
}

TEST_F(CaseRunnerTest, AMessageWithoutItsWordsFails) {
  ExpectFailure("a write A1 => error 10 \"no such words\"\n", 5, "answered: error 10");
}

TEST_F(CaseRunnerTest, ARefusedStepThatChangedRecordsFails) {
  // Of its three deletions two are done before one is refused.
  const std::string file = "  file keylen=6\n";
  const auto cases = ReadCases("x.txt", StrCat("case one\n  shows 7.read\n", file,
                                               "  open a\n  a fill AA count=2\n"
                                               "  a clear AA count=3 => error 11\n"));
  ASSERT_TRUE(cases.ok()) << cases.status();
  const std::vector<Failure> failures = RunCase((*cases)[0], running_->place(), ++runs_);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_EQ(failures[0].line, 6);
  EXPECT_NE(failures[0].what.find("changed records"), std::string::npos) << failures[0].what;
}

TEST_F(CaseRunnerTest, AStepThatMustWaitAndDoesNotFails) {
  ExpectFailure("a& read-key A1\n", 5, "it must wait, but answered: A1");
}

TEST_F(CaseRunnerTest, AnUnknownOpenFails) {
  ExpectFailure("b read => A1\n", 5, "no open is called b");
  ExpectFailure("a await => ok\n", 5, "nothing was started");
}

TEST(PartitionCut, KeysFallOnAllPartitions) {
  const auto cases = ReadCases(
      "x.txt",
      "case one\n  shows 7.read\n  records A1 B1 C1\n  open a\n  a write D1\n  a write E1\n");
  ASSERT_TRUE(cases.ok());
  const auto borders = ChooseBorders((*cases)[0], 3);
  ASSERT_TRUE(borders.ok());
  EXPECT_EQ(*borders, (std::vector<std::string>{"B1", "C1", "D1"}));
}

TEST(PartitionCut, NeverDividesAGenericLock) {
  const auto cases = ReadCases("x.txt",
                               "case one\n  shows 7.read\n  file locklength=1\n"
                               "  records A1 A2 A3 B1 B2 C1 D1\n  open a\n");
  ASSERT_TRUE(cases.ok());
  const auto borders = ChooseBorders((*cases)[0], 3);
  ASSERT_TRUE(borders.ok());
  EXPECT_EQ(*borders, (std::vector<std::string>{"A", "B", "C"}));
}

TEST(PartitionCut, FewKeysStillGiveBorders) {
  const auto cases = ReadCases("x.txt", "case one\n  shows 7.read\n  records A1\n  open a\n");
  ASSERT_TRUE(cases.ok());
  const auto borders = ChooseBorders((*cases)[0], 3);
  ASSERT_TRUE(borders.ok());
  EXPECT_EQ(*borders, (std::vector<std::string>{"A1", "A2", "A3"}));
}

}  // namespace
}  // namespace quire::conformance
