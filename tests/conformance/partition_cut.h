// Where the file of a case is cut when it is run on four partitions.
#ifndef QUIRE_TESTS_CONFORMANCE_PARTITION_CUT_H_
#define QUIRE_TESTS_CONFORMANCE_PARTITION_CUT_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/conformance/case.h"

namespace quire::conformance {

// `borders` rising partial keys: those of the case if it names them, else such that the keys the
// case writes fall on all partitions, so that reading crosses the borders. A generic lock covers
// keys of one partition only, so that a border never divides the keys of one.
absl::StatusOr<std::vector<std::string>> ChooseBorders(const Case& which, size_t borders);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_PARTITION_CUT_H_
