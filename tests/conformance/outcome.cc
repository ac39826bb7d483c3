#include "tests/conformance/outcome.h"

#include <string_view>

#include "absl/strings/str_replace.h"
#include "quire/error.h"
#include "quire/text.h"

namespace quire::conformance {
namespace {

std::string Values(const std::vector<std::string>& values) {
  if (values.empty()) return "nothing";
  std::string text;
  for (const std::string& value : values) StrAppend(&text, text.empty() ? "" : " ", value);
  return text;
}

std::string Plain(const std::optional<std::vector<std::string>>& values, int32_t warning) {
  std::string text = values.has_value() ? Values(*values) : "ok";
  if (warning != 0) StrAppend(&text, " warning ", warning);
  return text;
}

std::string Describe(const Expectation& expected) {
  if (expected.error == 0) return Plain(expected.values, expected.warning);
  std::string text = StrCat("error ", expected.error);
  for (const std::string& fragment : expected.fragments) StrAppend(&text, " \"", fragment, "\"");
  return text;
}

bool HasFragments(std::string_view message, const std::vector<std::string>& fragments,
                  const std::map<std::string, uint64_t>& opens) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& [name, id] : opens) names.emplace_back(StrCat("{", name, "}"), StrCat(id));
  for (const std::string& fragment : fragments) {
    if (message.find(absl::StrReplaceAll(fragment, names)) == std::string_view::npos) return false;
  }
  return true;
}

}  // namespace

Outcome Outcome::Of(const absl::StatusOr<std::string>& record) {
  if (!record.ok()) return {.status = record.status()};
  return {.values = std::vector<std::string>{*record}};
}

std::string Describe(const Outcome& outcome) {
  if (!outcome.status.ok()) return quire::Describe(outcome.status);
  return Plain(outcome.values, outcome.warning);
}

std::string Difference(const Outcome& outcome, const Expectation& expected,
                       const std::map<std::string, uint64_t>& opens) {
  bool same = false;
  if (outcome.status.ok()) {
    same = expected.error == 0 && outcome.warning == expected.warning &&
           outcome.values == expected.values;
  } else {
    same = static_cast<int32_t>(NumberOf(outcome.status)) == expected.error &&
           HasFragments(ToStd(outcome.status.message()), expected.fragments, opens);
  }
  if (same) return {};
  return StrCat("expected: ", Describe(expected), "\n  answered: ", Describe(outcome));
}

}  // namespace quire::conformance
