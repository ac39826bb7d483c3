// The streams of FakeService: sessions, scans and loads.
#include <algorithm>
#include <utility>

#include "quire/error.h"
#include "quire/limits.h"
#include "tests/support/fake_service.h"

namespace quire {

class FakeSession final : public Session {
 public:
  FakeSession(std::shared_ptr<FakeService> service, FileName name,
              std::shared_ptr<SessionEvents> events)
      : service_(std::move(service)), name_(std::move(name)), events_(std::move(events)) {
    const std::lock_guard<std::mutex> lock(service_->mutex_);
    ++service_->open_sessions_;
  }
  FakeSession(const FakeSession&) = delete;
  FakeSession& operator=(const FakeSession&) = delete;
  ~FakeSession() override {
    const std::lock_guard<std::mutex> lock(service_->mutex_);
    --service_->open_sessions_;
  }

  void Submit(OperationBatch batch) override {
    service_->Answer([events = events_, result = service_->Run(name_, batch)]() mutable {
      events->OnResults(std::move(result));
    });
  }
  void Cancel(uint64_t sequence) override {
    service_->Keep(&FakeService::Requests::cancels, sequence);
  }
  void Close() override {
    Count(&service_->closed_sessions_);
    service_->Answer([events = events_] { events->OnClosed(absl::OkStatus()); });
  }
  void Detach() override {
    Count(&service_->detached_sessions_);
    service_->Answer([events = events_] {
      events->OnClosed(MakeError(ErrorNumber::kVolumeDown, "detached", Retry::kSafe));
    });
  }

 private:
  void Count(int* count) {
    const std::lock_guard<std::mutex> lock(service_->mutex_);
    ++*count;
  }

  const std::shared_ptr<FakeService> service_;
  const FileName name_;
  const std::shared_ptr<SessionEvents> events_;
};

// What an open that failed leaves behind.
class ClosedSession final : public Session {
 public:
  void Submit(OperationBatch) override {}
  void Cancel(uint64_t) override {}
  void Close() override {}
  void Detach() override {}
};

class FakeScan final : public ScanStream {
 public:
  FakeScan(std::shared_ptr<FakeService> service, ScanRequest request)
      : service_(std::move(service)), request_(std::move(request)) {
    const std::lock_guard<std::mutex> lock(service_->mutex_);
    ++service_->open_scans_;
  }
  FakeScan(const FakeScan&) = delete;
  FakeScan& operator=(const FakeScan&) = delete;
  ~FakeScan() override {
    const std::lock_guard<std::mutex> lock(service_->mutex_);
    --service_->open_scans_;
  }

  void Next(Done<ScanPage> done) override {
    absl::StatusOr<ScanPage> page = MakeError(ErrorNumber::kEndOfFile, "the scan has ended");
    if (!ended_) page = service_->ReadPage(&request_, &given_);
    ended_ = !page.ok() || page->end;
    service_->Answer(std::move(done), std::move(page));
  }

 private:
  const std::shared_ptr<FakeService> service_;
  ScanRequest request_;
  uint64_t given_ = 0;
  bool ended_ = false;
};

class FakeLoad final : public LoadStream {
 public:
  FakeLoad(std::shared_ptr<FakeService> service, LoadRequest request)
      : service_(std::move(service)), request_(std::move(request)) {}

  void Send(RecordChunk chunk, Done<LoadAnswer> done) override {
    service_->Answer(std::move(done), Insert(chunk));
  }
  void Finish(DoneStatus done) override { service_->Answer(std::move(done), absl::OkStatus()); }

 private:
  absl::StatusOr<LoadAnswer> Insert(const RecordChunk& chunk) {
    if (absl::Status status = service_->Fail("Load"); !status.ok()) return status;
    if (stopped_) return MakeError(ErrorNumber::kBadParameter, "the load has stopped");
    LoadAnswer answer;
    answer.chunk = chunks_++;
    size_t offset = 0;
    for (uint32_t i = 0; i < chunk.lengths.size() && !answer.stopped; ++i) {
      OperationBatch batch;
      Operation operation;
      operation.kind = OperationKind::kWrite;
      operation.record = std::string_view(chunk.data).substr(offset, chunk.lengths[i]);
      batch.Add(operation);
      offset += chunk.lengths[i];
      const absl::Status status = service_->Run(request_.file.name, batch).results[0].status;
      if (status.ok()) {
        ++answer.accepted;
      } else {
        answer.refused.emplace_back(i, status);
        answer.stopped = stopped_ = !request_.continue_on_error;
      }
    }
    return answer;
  }

  const std::shared_ptr<FakeService> service_;
  const LoadRequest request_;
  uint64_t chunks_ = 0;
  bool stopped_ = false;
};

std::unique_ptr<Session> FakeService::OpenSession(OpenRequest request,
                                                  std::shared_ptr<SessionEvents> events) {
  Keep(&Requests::opens, request);
  absl::StatusOr<Opened> opened = Opened();
  if (absl::Status status = Fail("OpenSession"); !status.ok()) opened = status;
  if (opened.ok()) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const absl::StatusOr<FakeFile*> file = Find(request.file.name);
    if (file.ok()) {
      opened->open_id = request.file.open_id != 0 ? request.file.open_id : next_id_++;
      opened->lease_ms = kLeaseMs;
      opened->credits = kSessionCredits;
      opened->max_batch_bytes = kMaxBatchBytes;
      opened->max_batch_operations = kMaxBatchOperations;
      opened->epoch = 1;
      opened->info = (*file)->info;
    } else {
      opened = file.status();
    }
  }
  if (!opened.ok()) {
    Answer([events, status = opened.status()] {
      events->OnOpened(status);
      events->OnClosed(status);
    });
    return std::make_unique<ClosedSession>();
  }
  Answer([events, opened = *std::move(opened)]() mutable { events->OnOpened(std::move(opened)); });
  return std::make_unique<FakeSession>(shared_from_this(), std::move(request.file.name),
                                       std::move(events));
}

absl::StatusOr<ScanPage> FakeService::ReadPage(ScanRequest* request, uint64_t* given) {
  if (absl::Status status = Fail("Scan"); !status.ok()) return status;
  const std::lock_guard<std::mutex> lock(mutex_);
  absl::StatusOr<FakeFile*> file = Find(request->file.name);
  if (!file.ok()) return file.status();
  ++pages_read_;
  std::vector<const std::pair<const std::string, std::string>*> wanted;
  for (const auto& entry : (*file)->records) {
    const bool excluded = request->start_exclusive && entry.first == request->range.start;
    if (request->range.Contains(entry.first) && !excluded) wanted.push_back(&entry);
  }
  if (request->reverse) std::reverse(wanted.begin(), wanted.end());
  const uint64_t limit = request->chunk_bytes == 0 ? kDefaultChunkBytes : request->chunk_bytes;
  ScanPage page;
  page.end = true;
  for (const auto* entry : wanted) {
    if (request->max_records != 0 && *given == request->max_records) break;
    if (page.chunk.size() > 0 && page.chunk.data.size() + entry->second.size() > limit) {
      page.end = false;
      break;
    }
    page.chunk.Add(entry->second);
    page.chunk.last_key = entry->first;
    ++*given;
  }
  if (request->reverse) {
    request->range.limit = page.chunk.last_key;
  } else {
    request->range.start = page.chunk.last_key;
    request->start_exclusive = true;
  }
  return page;
}

std::unique_ptr<ScanStream> FakeService::Scan(ScanRequest request) {
  Keep(&Requests::scans, request);
  return std::make_unique<FakeScan>(shared_from_this(), std::move(request));
}

std::unique_ptr<LoadStream> FakeService::Load(LoadRequest request) {
  return std::make_unique<FakeLoad>(shared_from_this(), std::move(request));
}

}  // namespace quire
