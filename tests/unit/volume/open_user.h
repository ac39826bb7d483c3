// One user of an open, for tests of positions, locks and sync ids: every call is one operation in a
// batch of its own, answered as "0 record", "11", "0 record warning 9".
#ifndef QUIRE_TESTS_UNIT_VOLUME_OPEN_USER_H_
#define QUIRE_TESTS_UNIT_VOLUME_OPEN_USER_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/support/blocking.h"
#include "tests/support/operations.h"

namespace quire::test {

// "0", "0 record", "0 record warning 9", "73".
inline std::string Text(const BatchResult& result, size_t i) {
  const OperationResult& one = result.results.at(i);
  if (!one.status.ok()) return StrCat(static_cast<int32_t>(NumberOf(one.status)));
  std::string text = "0";
  if (one.length > 0) StrAppend(&text, " ", result.record(i));
  if (one.warning != ErrorNumber::kOk) {
    StrAppend(&text, " warning ", static_cast<int32_t>(one.warning));
  }
  return text;
}

class OpenUser {
 public:
  OpenUser(Service& service, OpenRequest request) : session_(service, std::move(request)) {}

  absl::StatusOr<Opened> opened() { return session_.opened(); }
  KeptSession& session() { return session_; }

  // Waits for the answer.
  std::string Do(const Operation& operation) { return Text(Send(operation), 0); }
  BatchResult Send(const Operation& operation) {
    const size_t place = Start(operation);
    return session_.WaitForResults(place + 1).at(place);
  }
  // Does not wait; the place of its result, for Answer.
  size_t Start(const Operation& operation) {
    OperationBatch batch;
    batch.Add(operation);
    return Start(std::move(batch));
  }
  size_t Start(OperationBatch batch) {
    batch.first_sequence = next_sequence_;
    batch.lock_timeout_ms = lock_timeout_ms;
    next_sequence_ += batch.size();
    session_.SubmitNowait(std::move(batch));
    return started_++;
  }
  std::string Answer(size_t place) { return Text(session_.WaitForResults(place + 1).at(place), 0); }

  std::string ReadNext() { return Do(Keyed(OperationKind::kReadNext)); }
  std::string ReadNextLock() {
    Operation read = Keyed(OperationKind::kReadNext);
    read.lock = true;
    return Do(read);
  }
  std::string Lock(std::string_view key) { return Do(Keyed(OperationKind::kLockRecord, key)); }
  std::string SetPosition(std::string_view key, ReadMode mode = ReadMode::kApproximate) {
    Operation set = Keyed(OperationKind::kSetPosition, key);
    set.mode = mode;
    return Do(set);
  }
  std::string SetLockMode(uint32_t mode) {
    Operation set = Keyed(OperationKind::kSetLockMode);
    set.lock_mode = mode;
    return Do(set);
  }

  uint32_t lock_timeout_ms = 0;
  uint64_t next_sequence() const { return next_sequence_; }
  // Goes on with the numbers of an open that is resumed.
  void SetNextSequence(uint64_t sequence) { next_sequence_ = sequence; }

 private:
  KeptSession session_;
  uint64_t next_sequence_ = 1;
  size_t started_ = 0;
};

}  // namespace quire::test

#endif  // QUIRE_TESTS_UNIT_VOLUME_OPEN_USER_H_
