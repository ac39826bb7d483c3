#include "client/filesystem/batch_result.h"

#include <algorithm>

#include "client/filesystem/errors.h"

namespace quire {

BatchResult FailedResult(size_t operations, const absl::Status& status) {
  BatchResult result;
  result.results.resize(operations);
  for (OperationResult& one : result.results) one.status = status;
  return result;
}

void CompleteResult(BatchResult* result, size_t operations, std::string_view from) {
  const size_t given = std::min(result->results.size(), operations);
  result->results.resize(operations);
  for (size_t i = 0; i < operations; ++i) {
    OperationResult& one = result->results[i];
    const bool within =
        one.offset <= result->data.size() && one.length <= result->data.size() - one.offset;
    if (i < given && within) continue;
    one = OperationResult{};
    one.status = filesystem_errors::ResultMissing(from);
  }
}

}  // namespace quire
