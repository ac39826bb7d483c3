// Results of batches that no volume made, or whose making cannot be trusted. Pure functions.
#ifndef QUIRE_CLIENT_FILESYSTEM_BATCH_RESULT_H_
#define QUIRE_CLIENT_FILESYSTEM_BATCH_RESULT_H_

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "quire/operation.h"

namespace quire {

// A result with `status` for each of `operations`.
BatchResult FailedResult(size_t operations, const absl::Status& status);

// Bytes from the wire: makes `result` hold exactly `operations` results whose records lie within
// its data. What is missing or out of bounds becomes 201.
void CompleteResult(BatchResult* result, size_t operations, std::string_view from);

}  // namespace quire

#endif  // QUIRE_CLIENT_FILESYSTEM_BATCH_RESULT_H_
