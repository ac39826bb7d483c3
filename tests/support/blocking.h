// Blocking forms of Service's calls, for tests.
#ifndef QUIRE_TESTS_SUPPORT_BLOCKING_H_
#define QUIRE_TESTS_SUPPORT_BLOCKING_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "quire/service.h"

namespace quire::test {

// Await<FileInfo>([&](Done<FileInfo> done) { service.Create(request, std::move(done)); })
template <typename T, typename Call>
absl::StatusOr<T> Await(Call call) {
  absl::Notification notified;
  std::optional<absl::StatusOr<T>> answer;
  call([&](absl::StatusOr<T> result) {
    answer = std::move(result);
    notified.Notify();
  });
  notified.WaitForNotification();
  return *std::move(answer);
}

template <typename Call>
absl::Status AwaitStatus(Call call) {
  absl::Notification notified;
  absl::Status answer;
  call([&](absl::Status result) {
    answer = std::move(result);
    notified.Notify();
  });
  notified.WaitForNotification();
  return answer;
}

// One record operation through Execute; the record read, if any, is returned.
absl::StatusOr<std::string> Run(Service& service, const FileReference& file,
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
