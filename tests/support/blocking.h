// Blocking forms of Service's calls, for tests.
#ifndef QUIRE_TESTS_SUPPORT_BLOCKING_H_
#define QUIRE_TESTS_SUPPORT_BLOCKING_H_

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quire/service.h"

namespace quire::test {

// Await<FileInfo>([&](Done<FileInfo> done) { service.Create(request, std::move(done)); })
template <typename T, typename Call>
absl::StatusOr<T> Await(Call call) {
  std::promise<absl::StatusOr<T>> answer;
  std::future<absl::StatusOr<T>> answered = answer.get_future();
  call([&](absl::StatusOr<T> result) { answer.set_value(std::move(result)); });
  return answered.get();
}

template <typename Call>
absl::Status AwaitStatus(Call call) {
  std::promise<absl::Status> answer;
  std::future<absl::Status> answered = answer.get_future();
  call([&](absl::Status result) { answer.set_value(std::move(result)); });
  return answered.get();
}

// One record operation through Execute; the record read, if any, is returned.
absl::StatusOr<std::string> RunOne(Service& service, const FileReference& file,
                                   const Operation& operation);

// All records of a scan, in the order they came.
absl::StatusOr<std::vector<std::string>> ScanAll(Service& service, const ScanRequest& request);

// A session whose events are kept.
class KeptSession {
 public:
  KeptSession(Service& service, OpenRequest request);
  // Waits.
  absl::StatusOr<Opened> opened();
  // Submits and waits for its result. The session's closing answers with an empty result.
  BatchResult Submit(OperationBatch batch);
  void SubmitNowait(OperationBatch batch) { session_->Submit(std::move(batch)); }
  // Waits until `count` results have come, or the session closed.
  std::vector<BatchResult> WaitForResults(size_t count);
  std::optional<absl::Status> TryRead(std::string_view key, std::string* record) {
    return session_->TryRead(key, record);
  }
  void Cancel(uint64_t sequence) { session_->Cancel(sequence); }
  void Detach() { session_->Detach(); }
  absl::Status Close();  // and waits for OnClosed
  absl::Status WaitClosed();
  void Drop() { session_.reset(); }

 private:
  struct Events;
  std::shared_ptr<Events> events_;
  std::unique_ptr<Session> session_;
  size_t taken_ = 0;
};

OperationBatch OneWrite(std::string_view record);
OperationBatch OneRead(std::string_view key, ReadMode mode = ReadMode::kByKey);

}  // namespace quire::test

#endif  // QUIRE_TESTS_SUPPORT_BLOCKING_H_
