// The user of a session: keeps what it is told, and makes batches.
#ifndef QUIRE_TESTS_UNIT_FILESYSTEM_SESSION_USER_H_
#define QUIRE_TESTS_UNIT_FILESYSTEM_SESSION_USER_H_

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quire/error.h"
#include "quire/service.h"
#include "tests/support/operations.h"
#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {

class SessionUser : public SessionEvents {
 public:
  void OnOpened(absl::StatusOr<Opened> answer) override {
    ++openings;
    opened = std::move(answer);
    if (opened.ok()) state = opened->state;
  }
  void OnResults(BatchResult result) override {
    if (result.state) state = *result.state;
    results.push_back(std::move(result));
  }
  void OnClosed(absl::Status status) override { closed.push_back(std::move(status)); }

  // "0", "11" … of each operation answered so far, or the record it found.
  std::vector<std::string> Answers() const {
    std::vector<std::string> answers;
    for (const BatchResult& result : results) {
      for (size_t i = 0; i < result.results.size(); ++i) {
        const OperationResult& one = result.results[i];
        answers.push_back(one.status.ok() && one.length > 0 ? std::string(result.record(i))
                                                            : StrCat(Number(one.status)));
      }
    }
    return answers;
  }

  int openings = 0;
  absl::StatusOr<Opened> opened = absl::UnknownError("not yet");
  OpenState state;  // the last one told
  std::vector<BatchResult> results;
  std::vector<absl::Status> closed;
};

inline Operation ByKey(OperationKind kind, std::string_view key) {
  return test::Keyed(kind, key);
}
using test::WithRecord;
inline Operation SetTo(std::string_view key, ReadMode mode = ReadMode::kApproximate,
                       bool reverse = false) {
  Operation operation = ByKey(OperationKind::kSetPosition, key);
  operation.mode = mode;
  operation.reverse = reverse;
  return operation;
}

// Copies the bytes.
inline OperationBatch Batch(uint64_t first_sequence, const std::vector<Operation>& operations) {
  OperationBatch batch;
  batch.first_sequence = first_sequence;
  for (const Operation& operation : operations) batch.Add(operation);
  return batch;
}

}  // namespace quire::testing

#endif  // QUIRE_TESTS_UNIT_FILESYSTEM_SESSION_USER_H_
