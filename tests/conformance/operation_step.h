// Steps as operations of their open.
#ifndef QUIRE_TESTS_CONFORMANCE_OPERATION_STEP_H_
#define QUIRE_TESTS_CONFORMANCE_OPERATION_STEP_H_

#include <string_view>

#include "quire/filesystem.h"
#include "quire/operation.h"
#include "tests/conformance/case.h"

namespace quire::conformance {

// The operation that a step whose word IsOperation is. Its bytes are the step's, of a reposition
// `saved`.
Operation OperationOf(const Step& step, std::string_view saved);

// The blocking call of File for such an operation, or null when it has none: then the operation
// goes through Nowait.
using BlockingCall = absl::StatusOr<std::string> (*)(File&, const Operation&);
BlockingCall BlockingCallOf(const Step& step, const Operation& operation);

// Whether an operation answers with a record.
bool GivesRecord(OperationKind kind);

// The number in name=value; `otherwise` when the option is not given or is no number.
uint64_t NumberOption(const Step& step, std::string_view name, uint64_t otherwise);

}  // namespace quire::conformance

#endif  // QUIRE_TESTS_CONFORMANCE_OPERATION_STEP_H_
