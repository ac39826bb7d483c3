#include <algorithm>
#include <iterator>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/unit/filesystem/fake_volume.h"

namespace quire::testing {

// Records and sessions of FakeVolume.

OperationResult FakeVolume::ExecuteOne(Disc& disc, const Operation& operation, std::string* data) {
  OperationResult result;
  const FileAttributes& attributes = disc.info.attributes;
  auto& records = disc.records;
  const bool writes =
      operation.kind == OperationKind::kWrite || operation.kind == OperationKind::kUpdate;
  if (writes && operation.record.size() < attributes.key_offset + attributes.key_length) {
    result.status = MakeError(ErrorNumber::kIllegalCount, "the record is too short");
    return result;
  }
  const std::string key(writes
                            ? operation.record.substr(attributes.key_offset, attributes.key_length)
                            : operation.key);
  auto found = records.find(key);
  switch (operation.kind) {
    case OperationKind::kWrite:
      if (found != records.end()) {
        result.status = MakeError(ErrorNumber::kAlreadyExists, "the key exists");
      } else {
        records.emplace(key, operation.record);
      }
      return result;
    case OperationKind::kUpdate:
    case OperationKind::kDelete:
      if (found == records.end()) {
        result.status = MakeError(ErrorNumber::kNotFound, "no such record");
      } else if (operation.kind == OperationKind::kDelete) {
        records.erase(found);
      } else {
        found->second = std::string(operation.record);
      }
      return result;
    default:
      break;
  }
  if (operation.mode != ReadMode::kByKey) {
    const KeyRange range = operation.mode == ReadMode::kGeneric ? KeyRange::Prefix(key)
                           : operation.reverse ? KeyRange{"", key + std::string(1, '\0')}
                                               : KeyRange{key, ""};
    const auto first = records.lower_bound(range.start);
    const auto limit = range.limit.empty() ? records.end() : records.lower_bound(range.limit);
    found = first == limit ? records.end() : operation.reverse ? std::prev(limit) : first;
  }
  if (found == records.end()) {
    result.status = operation.mode == ReadMode::kByKey
                        ? MakeError(ErrorNumber::kNotFound, "no such record")
                        : MakeError(ErrorNumber::kEndOfFile, "no record in this partition");
    return result;
  }
  result.offset = static_cast<uint32_t>(data->size());
  result.length = static_cast<uint32_t>(found->second.size());
  data->append(found->second);
  return result;
}

BatchResult FakeVolume::ExecuteBatch(const FileReference& file, const OperationBatch& batch) {
  BatchResult result;
  result.first_sequence = batch.first_sequence;
  result.epoch = 7;
  const absl::StatusOr<Disc*> disc = Find(file);
  bool stopped = false;
  for (size_t i = 0; i < batch.size(); ++i) {
    OperationResult one;
    if (stopped) {
      one.status = MakeError(ErrorNumber::kBadParameter, "not executed");
    } else if (disc.ok()) {
      one = ExecuteOne(**disc, batch[i], &result.data);
    } else {
      one.status = disc.status();
    }
    stopped = stopped || (batch.stop_on_error && !one.status.ok());
    result.results.push_back(std::move(one));
  }
  return result;
}

void FakeVolume::Execute(UnaryRequest request, Done<BatchResult> done) {
  const Failure failure = Enter("Execute");
  Run([this, failure, request = std::move(request), done = std::move(done)]() mutable {
    if (!failure.status.ok()) {
      std::move(done)(failure.status);
      return;
    }
    BatchResult result;
    {
      MutexLock lock(&mutex_);
      result = ExecuteBatch(request.file, request.operation);
    }
    std::move(done)(std::move(result));
  });
}

// ---- Sessions -------------------------------------------------------------------------------

class FakeSession : public Session {
 public:
  FakeSession(FakeVolume* volume, std::shared_ptr<FakeVolume::Open> open)
      : volume_(volume), open_(std::move(open)) {}
  ~FakeSession() override {
    MutexLock lock(&volume_->mutex_);
    open_->closed = true;
    std::erase(volume_->opens_, open_);
  }

  void Submit(OperationBatch batch) override {
    {
      MutexLock lock(&volume_->mutex_);
      if (open_->closed) return;
      ++volume_->batches_;
      ++open_->outstanding;
      volume_->highest_outstanding_ = std::max(volume_->highest_outstanding_, open_->outstanding);
      open_->waiting.push_back(std::move(batch));
    }
    volume_->Run([volume = volume_, open = open_] { volume->Pump(open); });
  }
  void Close() override {
    {
      MutexLock lock(&volume_->mutex_);
      open_->close_wanted = true;
    }
    volume_->Run([volume = volume_, open = open_] { volume->Pump(open); });
  }

 private:
  FakeVolume* const volume_;
  const std::shared_ptr<FakeVolume::Open> open_;
};

void FakeVolume::Pump(const std::shared_ptr<Open>& open) {
  while (true) {
    BatchResult result;
    bool close = false;
    {
      MutexLock lock(&mutex_);
      if (open->closed || held_) return;
      if (!open->waiting.empty()) {
        result = ExecuteBatch(open->file, open->waiting.front());
        open->waiting.pop_front();
        --open->outstanding;
      } else if (open->close_wanted) {
        close = true;
        open->closed = true;
      } else {
        return;
      }
    }
    if (close) {
      open->events->OnClosed(absl::OkStatus());
      return;
    }
    open->events->OnResults(std::move(result));
  }
}

std::unique_ptr<Session> FakeVolume::OpenSession(OpenRequest request,
                                                 std::shared_ptr<SessionEvents> events) {
  const Failure failure = Enter("Open");
  auto open = std::make_shared<Open>();
  open->file = request.file;
  open->events = events;
  absl::StatusOr<Opened> opened;
  {
    MutexLock lock(&mutex_);
    const absl::StatusOr<Disc*> disc = Find(request.file);
    if (!failure.status.ok()) {
      opened = failure.status;
    } else if (!disc.ok()) {
      opened = disc.status();
    } else {
      Opened answer;
      answer.open_id = request.file.open_id;
      answer.credits = credits;
      answer.max_batch_bytes = 1 << 16;
      answer.max_batch_operations = 64;
      answer.info = (*disc)->info;
      opened = std::move(answer);
    }
    open->closed = !opened.ok();
    open_requests_.push_back(request);
    opens_.push_back(open);
  }
  Run([events, opened]() mutable {
    const absl::Status status = opened.status();
    events->OnOpened(std::move(opened));
    if (!status.ok()) events->OnClosed(status);
  });
  return std::make_unique<FakeSession>(this, std::move(open));
}

}  // namespace quire::testing
