#include "tests/support/blocking.h"

#include "quire/mutex.h"
#include "tests/support/operations.h"

namespace quire::test {

absl::StatusOr<std::string> RunOne(Service& service, const FileReference& file,
                                   const Operation& operation) {
  UnaryRequest request{file, {}};
  request.operation.Add(operation);
  absl::StatusOr<BatchResult> result = Await<BatchResult>(
      [&](Done<BatchResult> done) { service.Execute(std::move(request), std::move(done)); });
  if (!result.ok()) return result.status();
  if (!result->results.at(0).status.ok()) return result->results[0].status;
  return std::string(result->record(0));
}

absl::StatusOr<std::vector<std::string>> ScanAll(Service& service, const ScanRequest& request) {
  std::unique_ptr<ScanStream> scan = service.Scan(request);
  std::vector<std::string> records;
  for (bool end = false; !end;) {
    const absl::StatusOr<ScanPage> page =
        Await<ScanPage>([&](Done<ScanPage> done) { scan->Next(std::move(done)); });
    if (!page.ok()) return page.status();
    size_t offset = 0;
    for (uint32_t length : page->chunk.lengths) {
      records.push_back(page->chunk.data.substr(offset, length));
      offset += length;
    }
    end = page->end;
  }
  return records;
}

struct KeptSession::Events : SessionEvents {
  void OnOpened(absl::StatusOr<Opened> answer) override {
    MutexLock lock(&mutex);
    opened = std::move(answer);
    changed.SignalAll();
  }
  void OnResults(BatchResult result) override {
    MutexLock lock(&mutex);
    results.push_back(std::move(result));
    changed.SignalAll();
  }
  void OnClosed(absl::Status status) override {
    MutexLock lock(&mutex);
    closed = std::move(status);
    changed.SignalAll();
  }

  Mutex mutex;
  CondVar changed;
  std::optional<absl::StatusOr<Opened>> opened;
  std::vector<BatchResult> results;
  std::optional<absl::Status> closed;
};

KeptSession::KeptSession(Service& service, OpenRequest request)
    : events_(std::make_shared<Events>()),
      session_(service.OpenSession(std::move(request), events_)) {}

absl::StatusOr<Opened> KeptSession::opened() {
  MutexLock lock(&events_->mutex);
  while (!events_->opened.has_value()) events_->changed.Wait(&events_->mutex);
  return *events_->opened;
}

std::vector<BatchResult> KeptSession::WaitForResults(size_t count) {
  MutexLock lock(&events_->mutex);
  while (events_->results.size() < count && !events_->closed.has_value()) {
    events_->changed.Wait(&events_->mutex);
  }
  return events_->results;
}

BatchResult KeptSession::Submit(OperationBatch batch) {
  ++taken_;
  session_->Submit(std::move(batch));
  const std::vector<BatchResult> results = WaitForResults(taken_);
  return results.size() >= taken_ ? results[taken_ - 1] : BatchResult{};
}

absl::Status KeptSession::Close() {
  session_->Close();
  return WaitClosed();
}

absl::Status KeptSession::WaitClosed() {
  MutexLock lock(&events_->mutex);
  while (!events_->closed.has_value()) events_->changed.Wait(&events_->mutex);
  return *events_->closed;
}

OperationBatch OneWrite(std::string_view record) {
  OperationBatch batch;
  batch.Add(WithRecord(OperationKind::kWrite, record));
  return batch;
}

OperationBatch OneRead(std::string_view key, ReadMode mode) {
  OperationBatch batch;
  Operation read = Keyed(OperationKind::kRead, key);
  read.mode = mode;
  batch.Add(read);
  return batch;
}

}  // namespace quire::test
