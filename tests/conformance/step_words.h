// The step words of the case language: what each may be given and whether it must say what comes.
#ifndef QUIRE_TESTS_CONFORMANCE_STEP_WORDS_H_
#define QUIRE_TESTS_CONFORMANCE_STEP_WORDS_H_

#include <string_view>

#include "absl/status/status.h"
#include "tests/conformance/case.h"

namespace quire::conformance {

// Steps without an open in front: open, create, purge, listlocks, listopens.
bool IsFileSystemStep(std::string_view word);

// Whether the step's word exists and is given what it takes; `has_answer`: "=>" stands in it.
absl::Status CheckStep(const Step& step, bool has_answer);

// Whether the step is one operation of its open (operation.h), so that it can be started.
bool IsOperation(std::string_view word);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_STEP_WORDS_H_
