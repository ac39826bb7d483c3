// The texts in cases/ and the README beside them.
#ifndef QUIRE_TESTS_CONFORMANCE_CASE_FILES_H_
#define QUIRE_TESTS_CONFORMANCE_CASE_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/conformance/case.h"

namespace quire::conformance {

// Path of a file of this folder in the source tree.
std::string SourcePath(const std::string& name);

// All cases of cases/*.txt, by file. An error names path and line; ids are unique.
absl::StatusOr<std::vector<Case>> ReadAllCases();

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_CASE_FILES_H_
