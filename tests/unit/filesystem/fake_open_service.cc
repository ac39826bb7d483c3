#include "tests/unit/filesystem/fake_open_service.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "quire/error.h"

namespace quire::testing {

absl::Status FakeOpenService::NotHere() {
  return MakeError(ErrorNumber::kInvalidOperation, "not part of this double");
}

// ---- What tests set and see -----------------------------------------------------------------

void FakeOpenService::Put(const std::string& key, const std::string& record) {
  MutexLock lock(&mutex_);
  records_[key] = record;
}
void FakeOpenService::Erase(const std::string& key) {
  MutexLock lock(&mutex_);
  records_.erase(key);
}
std::map<std::string, std::string> FakeOpenService::Records() {
  MutexLock lock(&mutex_);
  return records_;
}
void FakeOpenService::LockElsewhere(const std::string& key) {
  MutexLock lock(&mutex_);
  locked_elsewhere_.insert(key);
}
void FakeOpenService::UnlockElsewhere(const std::string& key) {
  {
    MutexLock lock(&mutex_);
    locked_elsewhere_.erase(key);
  }
  PumpAll();
}
void FakeOpenService::AwaitLockWait() {
  MutexLock lock(&mutex_);
  while (!lock_wait_) waits_.Wait(&mutex_);
}
void FakeOpenService::Hold() {
  MutexLock lock(&mutex_);
  held_ = true;
}
void FakeOpenService::Release() {
  {
    MutexLock lock(&mutex_);
    held_ = false;
  }
  PumpAll();
}
void FakeOpenService::BreakSessions(const absl::Status& status) {
  std::vector<std::shared_ptr<Open>> opens;
  {
    MutexLock lock(&mutex_);
    opens.swap(open_);
    for (auto& open : opens) open->closed = true;
  }
  for (auto& open : opens) open->events->OnClosed(status);
}
std::vector<OpenRequest> FakeOpenService::opens() {
  MutexLock lock(&mutex_);
  return open_requests_;
}
std::vector<ScanRequest> FakeOpenService::scans() {
  MutexLock lock(&mutex_);
  return scan_requests_;
}
std::vector<OperationKind> FakeOpenService::executed() {
  MutexLock lock(&mutex_);
  return executed_;
}
std::vector<uint64_t> FakeOpenService::sequences() {
  MutexLock lock(&mutex_);
  return sequences_;
}
std::vector<uint64_t> FakeOpenService::acked() {
  MutexLock lock(&mutex_);
  return acked_;
}
size_t FakeOpenService::chunks() {
  MutexLock lock(&mutex_);
  return chunks_;
}

// ---- Operations -----------------------------------------------------------------------------

std::vector<std::string> FakeOpenService::KeysOf(const KeyRange& range, bool start_exclusive,
                                                 bool reverse) {
  std::vector<std::string> keys;
  for (const auto& [key, record] : records_) {
    if (!range.Contains(key) || (start_exclusive && key == range.start)) continue;
    keys.push_back(key);
  }
  if (reverse) std::reverse(keys.begin(), keys.end());
  return keys;
}

// The key of the record that the operation is about; empty when there is none.
std::string FakeOpenService::TargetOf(const Open& open, const Operation& operation) {
  const FileAttributes& attributes = info_.attributes;
  switch (operation.kind) {
    case OperationKind::kWrite:
    case OperationKind::kUpdate:
      if (operation.record.size() < attributes.key_offset) return "";
      return std::string(operation.record.substr(attributes.key_offset, attributes.key_length));
    case OperationKind::kReadNext: {
      const Subset subset = SubsetFrom(open.position, attributes);
      if (subset.empty) return "";
      const auto keys = KeysOf(subset.range, subset.start_exclusive, subset.reverse);
      return keys.empty() ? "" : keys[0];
    }
    case OperationKind::kRead: {
      const auto above = records_.lower_bound(std::string(operation.key));
      if (operation.mode == ReadMode::kByKey) return std::string(operation.key);
      return above == records_.end() ? "" : above->first;  // approximate, upwards
    }
    case OperationKind::kDelete:
      return std::string(operation.key);
    default:
      return operation.key.empty() ? open.position.key : std::string(operation.key);
  }
}

void FakeOpenService::ReadOne(Open& open, const Operation& operation, OperationResult* result) {
  const std::string key = TargetOf(open, operation);
  const bool next = operation.kind == OperationKind::kReadNext;
  const auto found = records_.find(key);
  if (found == records_.end()) {
    result->status = next ? MakeError(ErrorNumber::kEndOfFile, "no record follows")
                          : MakeError(ErrorNumber::kNotFound, "no such record");
    return;
  }
  if (next) MoveTo(key, &open.position);
  if (locked_elsewhere_.count(key) != 0) result->warning = ErrorNumber::kReadThroughLock;
  result->offset = static_cast<uint32_t>(open.result.data.size());
  result->length = static_cast<uint32_t>(found->second.size());
  open.result.data.append(found->second);
}

void FakeOpenService::ChangeOne(const Operation& operation, const std::string& key,
                                OperationResult* result) {
  const bool insert = operation.kind == OperationKind::kWrite;
  const bool erase =
      operation.kind == OperationKind::kDelete || operation.kind == OperationKind::kDeleteCurrent;
  if (!erase && operation.record.empty()) {
    result->status = MakeError(ErrorNumber::kIllegalCount, "an empty record");
  } else if (locked_elsewhere_.count(key) != 0) {
    result->status = MakeError(ErrorNumber::kLocked, "locked by another open");
  } else if (insert == (records_.count(key) != 0)) {
    result->status = insert ? MakeError(ErrorNumber::kAlreadyExists, "the key exists")
                            : MakeError(ErrorNumber::kNotFound, "no such record");
  } else if (erase) {
    records_.erase(key);
  } else {
    records_[key] = std::string(operation.record);
  }
}

bool FakeOpenService::ExecuteOne(Open& open, const Operation& operation, OperationResult* result) {
  const bool locks = operation.lock || operation.kind == OperationKind::kLockRecord;
  const std::string key = TargetOf(open, operation);
  if (locks && locked_elsewhere_.count(key) != 0) return false;
  executed_.push_back(operation.kind);
  if (Changes(operation.kind)) {
    ChangeOne(operation, key, result);
    return true;
  }
  switch (operation.kind) {
    case OperationKind::kRead:
    case OperationKind::kReadNext:
    case OperationKind::kReadUpdate:
      ReadOne(open, operation, result);
      break;
    case OperationKind::kSetPosition: {
      const absl::StatusOr<Position> position = PositionFrom(operation, info_.attributes);
      result->status = position.status();
      if (position.ok()) open.position = *position;
      break;
    }
    case OperationKind::kRestorePosition: {
      const absl::StatusOr<Position> position = DecodePosition(operation.key);
      result->status = position.status();
      if (position.ok()) open.position = *position;
      break;
    }
    case OperationKind::kSavePosition: {
      const std::string bytes = EncodePosition(open.position);
      result->offset = static_cast<uint32_t>(open.result.data.size());
      result->length = static_cast<uint32_t>(bytes.size());
      open.result.data.append(bytes);
      break;
    }
    case OperationKind::kSetLockMode:
      if (!IsLockMode(operation.lock_mode)) result->status = NotHere();
      break;
    default:
      break;
  }
  return true;
}

bool FakeOpenService::Work(Open& open) {
  const OperationBatch& batch = open.batches.front();
  while (open.result.results.size() < batch.size()) {
    const size_t i = open.result.results.size();
    OperationResult result;
    if (open.cancelled.erase(batch.SequenceOf(i)) != 0) {
      result.status = MakeError(ErrorNumber::kTimedOut, "cancelled", Retry::kSafe);
    } else if (!ExecuteOne(open, batch[i], &result)) {
      lock_wait_ = true;
      waits_.SignalAll();
      return false;
    }
    sequences_.push_back(batch.SequenceOf(i));
    open.result.results.push_back(std::move(result));
  }
  lock_wait_ = false;
  return true;
}

// ---- Sessions -------------------------------------------------------------------------------

void FakeOpenService::PumpAll() {
  std::vector<std::shared_ptr<Open>> opens;
  {
    MutexLock lock(&mutex_);
    opens = open_;
  }
  for (const auto& open : opens) Pump(open);
}

void FakeOpenService::Pump(const std::shared_ptr<Open>& open) {
  while (true) {
    BatchResult result;
    bool close = false;
    {
      MutexLock lock(&mutex_);
      if (open->closed || open->pumping || held_) return;
      if (open->batches.empty()) {
        if (!open->close_wanted) return;
        open->closed = close = true;
      } else {
        if (!Work(*open)) return;
        open->result.first_sequence = open->batches.front().first_sequence;
        result = std::exchange(open->result, BatchResult());
        open->batches.pop_front();
        open->pumping = true;
      }
    }
    if (close) {
      open->events->OnClosed(absl::OkStatus());
      return;
    }
    open->events->OnResults(std::move(result));
    MutexLock lock(&mutex_);
    open->pumping = false;
  }
}

class FakeOpenSession : public Session {
 public:
  FakeOpenSession(FakeOpenService* service, std::shared_ptr<FakeOpenService::Open> open)
      : service_(service), open_(std::move(open)) {}
  ~FakeOpenSession() override {
    MutexLock lock(&service_->mutex_);
    open_->closed = true;
    std::erase(service_->open_, open_);
  }
  void Submit(OperationBatch batch) override {
    if (service_->on_batch) service_->on_batch(batch);
    {
      MutexLock lock(&service_->mutex_);
      service_->acked_.push_back(batch.acked_through);
      open_->batches.push_back(std::move(batch));
    }
    service_->Pump(open_);
  }
  void Cancel(uint64_t sequence) override {
    {
      MutexLock lock(&service_->mutex_);
      open_->cancelled.insert(sequence);
    }
    service_->Pump(open_);
  }
  void Close() override {
    {
      MutexLock lock(&service_->mutex_);
      open_->close_wanted = true;
    }
    service_->Pump(open_);
  }
  // Nothing waits for locks here: a detached stream ends like a closed one.
  void Detach() override { Close(); }

 private:
  FakeOpenService* const service_;
  const std::shared_ptr<FakeOpenService::Open> open_;
};

std::unique_ptr<Session> FakeOpenService::OpenSession(OpenRequest request,
                                                      std::shared_ptr<SessionEvents> events) {
  auto open = std::make_shared<Open>();
  open->events = events;
  Opened opened;
  {
    MutexLock lock(&mutex_);
    info_.name = request.file.name;
    opened.open_id = request.file.open_id;
    opened.credits = 8;
    opened.max_batch_bytes = 4096;
    opened.max_batch_operations = 64;
    opened.info = info_;
    open_requests_.push_back(request);
    open_.push_back(open);
  }
  events->OnOpened(std::move(opened));
  return std::make_unique<FakeOpenSession>(this, std::move(open));
}

// ---- Scans and lists ------------------------------------------------------------------------

class FakeOpenScan : public ScanStream {
 public:
  FakeOpenScan(FakeOpenService* service, ScanRequest request)
      : service_(service), request_(std::move(request)) {}
  void Next(Done<ScanPage> done) override { std::move(done)(Page()); }

 private:
  absl::StatusOr<ScanPage> Page() {
    if (service_->on_chunk) {
      if (absl::Status s = service_->on_chunk(); !s.ok()) return s;
    }
    MutexLock lock(&service_->mutex_);
    ++service_->chunks_;
    ScanPage page;
    page.end = true;
    for (const std::string& key :
         service_->KeysOf(request_.range, request_.start_exclusive, request_.reverse)) {
      if (last_ && (request_.reverse ? key >= *last_ : key <= *last_)) continue;
      if (page.chunk.size() == service_->chunk_records) {
        page.end = false;
        break;
      }
      page.chunk.Add(service_->records_.at(key));
      page.chunk.last_key = key;
    }
    if (page.chunk.size() > 0) last_ = page.chunk.last_key;
    return page;
  }

  FakeOpenService* const service_;
  const ScanRequest request_;
  std::optional<std::string> last_;
};

std::unique_ptr<ScanStream> FakeOpenService::Scan(ScanRequest request) {
  {
    MutexLock lock(&mutex_);
    scan_requests_.push_back(request);
  }
  return std::make_unique<FakeOpenScan>(this, std::move(request));
}

// Three pages of one line each.
void FakeOpenService::ListOpens(ListOpensRequest request, Done<ListOpensPage> done) {
  ListOpensPage page;
  OpenInfo& line = page.opens.emplace_back();
  line.file = request.file.name;
  line.open_id = request.page_token.size() + 1;
  if (line.open_id < 3) page.next_page_token = request.page_token + "x";
  std::move(done)(std::move(page));
}

void FakeOpenService::ListLocks(ListLocksRequest request, Done<ListLocksPage> done) {
  ListLocksPage page;
  LockInfo& line = page.locks.emplace_back();
  line.file = request.file.name;
  line.granted = request.granted_only;
  line.open_id = request.page_token.size() + 1;
  if (line.open_id < 3) page.next_page_token = request.page_token + "x";
  std::move(done)(std::move(page));
}

}  // namespace quire::testing
