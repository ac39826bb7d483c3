// Every case in every set-up: a test each, named SET-UP/Conformance.Case/ID.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "quire/text.h"
#include "tests/conformance/case_files.h"
#include "tests/conformance/set_up.h"

namespace quire::conformance {

// For GoogleTest's messages.
void PrintTo(const Case& which, std::ostream* out) {
  *out << which.path << ":" << which.line << " " << which.id;
}

namespace {

// An unreadable text is one case that fails.
std::vector<Case> CasesOrWhyNot() {
  absl::StatusOr<std::vector<Case>> cases = ReadAllCases();
  if (cases.ok()) return *std::move(cases);
  return {{.id = "unreadable", .title = std::string(ToStd(cases.status().message()))}};
}

class Conformance : public testing::TestWithParam<std::tuple<std::string, Case>> {
 protected:
  // Started by the first case that needs it, ended after the last: a set-up's tests stand together.
  static void TearDownTestSuite() { running_.reset(); }

  static const RunningSetUp* Running(const std::string& name) {
    if (running_name_ != name) {
      running_.reset();
      running_name_ = name;
      running_ = StartSetUp(name);
    }
    return running_.get();
  }

  static inline std::string running_name_;
  static inline std::unique_ptr<RunningSetUp> running_;
  static inline uint32_t runs_ = 0;
};

TEST_P(Conformance, Case) {
  const auto& [set_up, which] = GetParam();
  ASSERT_FALSE(which.steps.empty()) << which.title;
  const RunningSetUp* running = Running(set_up);
  ASSERT_NE(running, nullptr);
  for (const Failure& failure : RunCase(which, running->place(), ++runs_)) {
    ADD_FAILURE_AT(SourcePath(which.path).c_str(), failure.line)
        << which.id << " (" << which.title << "), " << set_up << ": " << failure.what;
  }
}

auto CasesFor(const std::string& set_up) {
  std::vector<std::tuple<std::string, Case>> parameters;
  for (Case& which : CasesOrWhyNot()) {
    if (which.only.empty() ||
        std::find(which.only.begin(), which.only.end(), set_up) != which.only.end()) {
      parameters.emplace_back(set_up, std::move(which));
    }
  }
  return testing::ValuesIn(parameters);
}

std::string NameOfCase(const testing::TestParamInfo<Conformance::ParamType>& info) {
  return absl::StrReplaceAll(std::get<Case>(info.param).id, {{"-", "_"}});
}

INSTANTIATE_TEST_SUITE_P(Embedded, Conformance, CasesFor("embedded"), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Audited, Conformance, CasesFor("audited"), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Volume, Conformance, CasesFor("volume"), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Router, Conformance, CasesFor("router"), NameOfCase);
INSTANTIATE_TEST_SUITE_P(Partitioned, Conformance, CasesFor("partitioned"), NameOfCase);

}  // namespace
}  // namespace quire::conformance
