// README.md says what is shown, and by what; this is what keeps it true.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "gtest/gtest.h"
#include "quire/error.h"
#include "quire/text.h"
#include "tests/conformance/case_files.h"
#include "tests/conformance/set_up.h"
#include "tests/support/process_child.h"

namespace quire::conformance {
namespace {

constexpr std::string_view kRowsBegin = "## What is shown";
constexpr std::string_view kErrorsBegin = "### Error numbers";

// A line of a table: | name | what | shown by |
struct Row {
  std::string name;
  std::string shown_by;
};

std::vector<Row> TableRows(std::string_view text) {
  std::vector<Row> rows;
  for (const absl::string_view line : absl::StrSplit(ToAbsl(text), '\n')) {
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    if (cells.size() != 3 || !absl::StartsWith(line, "| ")) continue;
    Row row{.name = cells[0].substr(2), .shown_by = cells[2]};
    if (row.name == "Row" || row.name == "Number") continue;
    row.shown_by = std::string(absl::StripSuffix(row.shown_by, " |"));
    rows.push_back(std::move(row));
  }
  return rows;
}

class Coverage : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::vector<Case>> cases = ReadAllCases();
    ASSERT_TRUE(cases.ok()) << cases.status();
    for (Case& which : *cases) by_id_.emplace(which.id, std::move(which));
    const std::string readme = ReadWholeFile(SourcePath("README.md"));
    const size_t rows = readme.find(kRowsBegin);
    const size_t errors = readme.find(kErrorsBegin);
    ASSERT_LT(rows, errors);
    ASSERT_NE(errors, std::string::npos);
    rows_ = TableRows(std::string_view(readme).substr(rows, errors - rows));
    errors_ = TableRows(std::string_view(readme).substr(errors));
    ASSERT_GT(rows_.size(), 100u);
    ASSERT_GT(errors_.size(), 40u);
  }

  // Whether what stands in the last column exists; `ids` gets the cases that it names.
  void CheckShownBy(const Row& row, std::vector<std::string>* ids) {
    constexpr absl::string_view kCases = "cases: ";
    constexpr absl::string_view kNothing = "not applicable: ";
    if (absl::StartsWith(row.shown_by, kCases)) {
      const absl::string_view names = absl::StripPrefix(row.shown_by, kCases);
      for (const absl::string_view id : absl::StrSplit(names, ", ")) {
        EXPECT_TRUE(by_id_.contains(std::string(id))) << row.name << ": no case is called " << id;
        ids->emplace_back(id);
      }
    } else if (absl::StartsWith(row.shown_by, kNothing)) {
      EXPECT_GT(row.shown_by.size(), kNothing.size()) << row.name << " says no reason";
    } else {
      const std::vector<std::string> test = absl::StrSplit(row.shown_by, ": ");
      ASSERT_EQ(test.size(), 2u) << row.name << ": " << row.shown_by;
      const std::string text = ReadWholeFile(StrCat(QUIRE_SOURCE_DIR, "/", test[0]));
      EXPECT_NE(text.find(StrCat(", ", test[1], ")")), std::string::npos)
          << row.name << ": no test " << test[1] << " stands in " << test[0];
    }
  }

  std::map<std::string, Case> by_id_;
  std::vector<Row> rows_;
  std::vector<Row> errors_;
};

// Numbers of errors and warnings that a case expects.
std::set<int32_t> NumbersIn(const Case& which) {
  std::set<int32_t> numbers;
  for (const Step& step : which.steps) {
    numbers.insert(step.expected.error);
    numbers.insert(step.expected.warning);
  }
  return numbers;
}

TEST_F(Coverage, EveryRowIsShown) {
  std::set<std::string> shown;
  for (const auto& [id, which] : by_id_) shown.insert(which.shows.begin(), which.shows.end());
  std::set<std::string> known;
  for (const Row& row : rows_) {
    EXPECT_TRUE(known.insert(row.name).second) << row.name << " stands twice";
    if (row.shown_by == "cases") {
      EXPECT_TRUE(shown.contains(row.name)) << "no case shows " << row.name;
      continue;
    }
    std::vector<std::string> ids;
    CheckShownBy(row, &ids);
    EXPECT_FALSE(shown.contains(row.name)) << "a case shows " << row.name;
  }
  for (const auto& [id, which] : by_id_) {
    for (const std::string& row : which.shows) {
      EXPECT_TRUE(known.contains(row)) << which.path << ":" << which.line << ": no row " << row;
    }
  }
}

TEST_F(Coverage, EveryErrorNumberIsShown) {
  std::map<int32_t, bool> by_cases;  // number -> whether cases show it
  for (const Row& row : errors_) {
    std::vector<std::string> ids;
    CheckShownBy(row, &ids);
    for (const absl::string_view text : absl::StrSplit(row.name, ", ")) {
      int32_t number = 0;
      ASSERT_TRUE(absl::SimpleAtoi(text, &number)) << row.name;
      EXPECT_TRUE(by_cases.emplace(number, !ids.empty()).second) << number << " stands twice";
      for (const std::string& id : ids) {
        EXPECT_TRUE(NumbersIn(by_id_.at(id)).contains(number)) << id << " expects no " << number;
      }
    }
  }
  for (const auto& [id, which] : by_id_) {
    for (const int32_t number : NumbersIn(which)) {
      EXPECT_TRUE(by_cases[number]) << id << " expects " << number << ", not so the list";
    }
  }
  for (int32_t number = 0; number < 1000; ++number) {
    if (ErrorName(static_cast<ErrorNumber>(number)) == "unknown") continue;
    EXPECT_TRUE(by_cases.contains(number)) << "Quire's number " << number << " is not listed";
  }
}

// What differs by set-up is said, with the reason.
TEST_F(Coverage, SetUpsThatCasesAreOnlyForExist) {
  size_t restricted = 0;
  for (const auto& [id, which] : by_id_) {
    if (which.only.empty()) continue;
    ++restricted;
    EXPECT_FALSE(which.because.empty()) << id;
    for (const std::string& name : which.only) {
      const std::vector<std::string>& names = SetUpNames();
      EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << id << ": " << name;
    }
  }
  EXPECT_LT(restricted, 5u) << "the set-ups are to have equal results";
}

}  // namespace
}  // namespace quire::conformance
