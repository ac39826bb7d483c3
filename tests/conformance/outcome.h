// What a step answered, and whether that is what its case expects.
#ifndef QUIRE_TESTS_CONFORMANCE_OUTCOME_H_
#define QUIRE_TESTS_CONFORMANCE_OUTCOME_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "quire/error.h"
#include "tests/conformance/case.h"

namespace quire::conformance {

struct Outcome {
  absl::Status status = absl::OkStatus();
  int32_t warning = 0;
  std::optional<std::vector<std::string>> values = {};

  static Outcome Of(const absl::StatusOr<std::string>& record);
};

// "error 73 (locked): …", "A1 B1 warning 9": as a case would say it.
std::string Describe(const Outcome& outcome);
// "error 12 (file-in-use): …"
using quire::Describe;

// Empty when the outcome is as expected, else both. `opens`: the numbers of the named opens.
std::string Difference(const Outcome& outcome, const Expectation& expected,
                       const std::map<std::string, uint64_t>& opens);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_OUTCOME_H_
