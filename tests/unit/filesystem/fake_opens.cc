#include <algorithm>
#include <iterator>

#include "quire/error.h"
#include "quire/text.h"
#include "tests/unit/filesystem/fake_volume.h"

namespace quire::testing {

// Opens of FakeVolume and their streams: positions, locks, saved answers, resuming.

namespace {

absl::Status Broken() {
  return MakeError(ErrorNumber::kPathDown, "connection lost", Retry::kOutcomeUnknown);
}

std::string KeyOfRecord(const FileAttributes& attributes, std::string_view record) {
  return std::string(record.substr(attributes.key_offset, attributes.key_length));
}

}  // namespace

// ---- Operations -----------------------------------------------------------------------------

OperationResult FakeVolume::ReadNext(Standing& standing, Disc& disc, std::string* data) {
  OperationResult result;
  result.status = MakeError(ErrorNumber::kEndOfFile, "no more records in this partition");
  const Subset subset = SubsetFrom(standing.position, disc.info.attributes);
  if (subset.empty) return result;
  auto& records = disc.records;
  auto first = records.lower_bound(subset.range.start);
  if (subset.start_exclusive && first != records.end() && first->first == subset.range.start) {
    ++first;
  }
  const auto limit =
      subset.range.limit.empty() ? records.end() : records.lower_bound(subset.range.limit);
  const bool none = first == limit || first == records.end() ||
                    (limit != records.end() && first->first > limit->first);
  if (none) return result;
  const auto found = subset.reverse ? std::prev(limit) : first;
  MoveTo(found->first, &standing.position);
  result.status = absl::OkStatus();
  result.offset = static_cast<uint32_t>(data->size());
  result.length = static_cast<uint32_t>(found->second.size());
  data->append(found->second);
  return result;
}

OperationResult FakeVolume::ChangeLock(uint64_t open_id, bool lock, const std::string& key) {
  OperationResult result;
  for (const auto& [locked, owner] : locks_) {
    const bool touches = locked.empty() || key.empty() || locked == key;
    if (touches && owner != open_id && lock) {
      result.status = MakeError(ErrorNumber::kLocked, "locked by another open");
      return result;
    }
  }
  if (key.empty()) {
    std::erase_if(locks_, [open_id](const auto& one) { return one.second == open_id; });
  }
  if (lock) {
    locks_[key] = open_id;
  } else {
    locks_.erase(key);
  }
  return result;
}

OperationResult FakeVolume::ExecuteOfOpen(uint64_t open_id, Disc& disc, const Operation& operation,
                                          std::string* data) {
  Standing& standing = standing_[open_id];
  const FileAttributes& attributes = disc.info.attributes;
  Operation current = operation;
  current.key = standing.position.key;
  OperationResult result;
  switch (operation.kind) {
    case OperationKind::kSetPosition: {
      absl::StatusOr<Position> position = PositionFrom(operation, attributes);
      result.status = position.status();
      if (position.ok()) standing.position = *std::move(position);
      return result;
    }
    case OperationKind::kSavePosition: {
      const std::string bytes = EncodePosition(standing.position);
      result.offset = static_cast<uint32_t>(data->size());
      result.length = static_cast<uint32_t>(bytes.size());
      data->append(bytes);
      return result;
    }
    case OperationKind::kRestorePosition: {
      absl::StatusOr<Position> position = DecodePosition(operation.key);
      result.status = position.status();
      if (position.ok()) standing.position = *std::move(position);
      return result;
    }
    case OperationKind::kReadNext:
      return ReadNext(standing, disc, data);
    case OperationKind::kReadUpdate:
      current.kind = OperationKind::kRead;
      return ExecuteOne(disc, current, data);
    case OperationKind::kWriteUpdate:
      if (KeyOfRecord(attributes, operation.record) != current.key) {
        result.status = MakeError(ErrorNumber::kInvalidKey, "another key");
        return result;
      }
      current.kind = OperationKind::kUpdate;
      return ExecuteOne(disc, current, data);
    case OperationKind::kDeleteCurrent:
      current.kind = OperationKind::kDelete;
      return ExecuteOne(disc, current, data);
    case OperationKind::kLockRecord:
    case OperationKind::kUnlockRecord:
      return ChangeLock(open_id, operation.kind == OperationKind::kLockRecord,
                        std::string(operation.key.empty() ? current.key : operation.key));
    case OperationKind::kLockFile:
    case OperationKind::kUnlockFile:
      return ChangeLock(open_id, operation.kind == OperationKind::kLockFile, "");
    case OperationKind::kSetLockMode:
      if (IsLockMode(operation.lock_mode)) {
        standing.lock_mode = operation.lock_mode;
      } else {
        result.status = MakeError(ErrorNumber::kInvalidOperation, "no such lock mode");
      }
      return result;
    default:
      return ExecuteOne(disc, operation, data);
  }
}

uint32_t FakeVolume::LocksOf(uint64_t open_id) {
  return static_cast<uint32_t>(std::count_if(
      locks_.begin(), locks_.end(), [=](const auto& one) { return one.second == open_id; }));
}

BatchResult FakeVolume::ExecuteBatch(Open& open, const OperationBatch& batch) {
  const uint64_t id = open.file.open_id;
  Standing& standing = standing_[id];
  BatchResult result;
  result.first_sequence = batch.first_sequence;
  result.epoch = epoch_;
  if (batch.position) standing.position = *batch.position;
  const absl::StatusOr<Disc*> disc = Find(open.file);
  bool stopped = false;
  for (size_t i = 0; i < batch.size(); ++i) {
    OperationResult one;
    const uint64_t sequence = batch.SequenceOf(i);
    const auto saved = standing.answers.find(sequence);
    if (sequence != 0 && saved != standing.answers.end()) {
      one = saved->second.result;
      one.offset = static_cast<uint32_t>(result.data.size());
      result.data += saved->second.record;
      if (UsesPosition(batch[i])) standing.position = saved->second.position;
    } else if (stopped) {
      one.status = MakeError(ErrorNumber::kBadParameter, "not executed");
    } else if (!disc.ok()) {
      one.status = disc.status();
    } else {
      one = ExecuteOfOpen(id, **disc, batch[i], &result.data);
      if (Changes(batch[i].kind)) ++executions_[sequence];
      if (standing.keeps_answers && sequence != 0 && (keeps_reads || batch.changes())) {
        standing.answers[sequence] = {one, result.data.substr(one.offset, one.length),
                                      standing.position};
      }
    }
    stopped = stopped || (batch.stop_on_error && !one.status.ok());
    result.results.push_back(std::move(one));
  }
  auto& answers = standing.answers;
  answers.erase(answers.begin(), answers.upper_bound(batch.acked_through));
  const OpenState state{standing.position, standing.lock_mode, {{epoch_, LocksOf(id)}}};
  if (open.told != state) result.state = open.told = state;
  return result;
}

// ---- Streams --------------------------------------------------------------------------------

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
    Pump();
  }
  void Cancel(uint64_t sequence) override {
    MutexLock lock(&volume_->mutex_);
    volume_->cancels_.push_back(sequence);
  }
  void Close() override {
    {
      MutexLock lock(&volume_->mutex_);
      open_->close_wanted = true;
    }
    Pump();
  }
  void Detach() override {
    {
      MutexLock lock(&volume_->mutex_);
      volume_->detached_ = open_->detach_wanted = true;
    }
    Pump();
  }

 private:
  void Pump() {
    volume_->Run([volume = volume_->shared_from_this(), open = open_] { volume->Pump(open); });
  }

  FakeVolume* const volume_;
  const std::shared_ptr<FakeVolume::Open> open_;
};

void FakeVolume::Pump(const std::shared_ptr<Open>& open) {
  while (true) {
    Cut cut = Cut::kNone;
    {
      MutexLock lock(&mutex_);
      if (open->closed || held_) return;
      if (open->waiting.empty() && !open->close_wanted && !open->detach_wanted) return;
    }
    if (on_batch) cut = on_batch();
    if (cut == Cut::kRestart) return Restart();
    if (cut == Cut::kLost) return Break(open);
    std::optional<BatchResult> result;
    absl::Status end;
    {
      MutexLock lock(&mutex_);
      if (open->closed) return;
      if (!open->waiting.empty()) {
        result = ExecuteBatch(*open, open->waiting.front());
        open->waiting.pop_front();
        --open->outstanding;
      } else {
        open->closed = true;
        if (!open->close_wanted) {
          end = MakeError(ErrorNumber::kVolumeDown, "the server stops", Retry::kSafe);
        } else {
          Forget(open->file.open_id);
          ended_.insert(open->file.open_id);
        }
      }
      if (cut == Cut::kAnswerLost) open->closed = false;
    }
    if (cut == Cut::kAnswerLost) return Break(open);
    if (!result) return open->events->OnClosed(end);
    open->events->OnResults(*std::move(result));
  }
}

void FakeVolume::Break(const std::shared_ptr<Open>& open) {
  {
    MutexLock lock(&mutex_);
    if (std::exchange(open->closed, true)) return;
    std::erase(opens_, open);
  }
  open->events->OnClosed(Broken());
}

void FakeVolume::Forget(uint64_t open_id) {
  standing_.erase(open_id);
  std::erase_if(locks_, [open_id](const auto& one) { return one.second == open_id; });
}

void FakeVolume::Restart() {
  {
    MutexLock lock(&mutex_);
    ++epoch_;
    standing_.clear();
    locks_.clear();
  }
  BreakSessions(Broken());
}

void FakeVolume::ExpireLeases() {
  MutexLock lock(&mutex_);
  std::vector<uint64_t> expired;
  for (const auto& one : standing_) {
    const uint64_t id = one.first;
    const bool streaming = std::any_of(opens_.begin(), opens_.end(), [&](const auto& open) {
      return !open->closed && open->file.open_id == id;
    });
    if (!streaming) expired.push_back(id);
  }
  for (const uint64_t id : expired) {
    Forget(id);
    expired_.insert(id);
  }
}

absl::StatusOr<Opened> FakeVolume::Admit(const OpenRequest& request) {
  const absl::StatusOr<Disc*> disc = Find(request.file);
  if (!disc.ok()) return disc.status();
  const uint64_t id = request.file.open_id;
  Opened answer;
  if (request.resume) {
    const OpenState& state = request.resume->state;
    if (ended_.contains(id)) return MakeError(ErrorNumber::kNotOpen, "it was closed");
    answer.answers_kept = standing_.contains(id);
    const bool locked = !state.partitions.empty() && state.partitions[0].locks > 0;
    if (expired_.contains(id) || (!answer.answers_kept && locked)) {
      return MakeError(ErrorNumber::kReopen, "lease expired, or restarted with locks held",
                       Retry::kReopen);
    }
    standing_[id].position = state.position;
    standing_[id].lock_mode = state.lock_mode;
  } else {
    standing_[id] = Standing();
    standing_[id].lock_mode = request.lock_mode;
  }
  Standing& standing = standing_[id];
  standing.keeps_answers = request.sync_depth > 0;
  answer.open_id = id;
  answer.credits = credits;
  answer.lease_ms = 30000;
  answer.max_batch_bytes = 1 << 16;
  answer.max_batch_operations = 64;
  answer.epoch = epoch_;
  answer.info = (*disc)->info;
  answer.state = OpenState{standing.position, standing.lock_mode, {{epoch_, LocksOf(id)}}};
  return answer;
}

std::unique_ptr<Session> FakeVolume::OpenSession(OpenRequest request,
                                                 std::shared_ptr<SessionEvents> events) {
  const Failure failure = Enter("Open");
  auto open = std::make_shared<Open>();
  open->file = request.file;
  open->events = events;
  absl::StatusOr<Opened> opened;
  std::shared_ptr<Open> before;
  {
    MutexLock lock(&mutex_);
    if (failure.status.ok()) {
      opened = Admit(request);
    } else {
      opened = failure.status;
    }
    for (const auto& other : opens_) {
      const bool same = !other->closed && other->file.open_id == request.file.open_id;
      if (opened.ok() && request.resume && same) before = other;
    }
    if (before != nullptr) before->closed = true;
    if (opened.ok()) open->told = opened->state;
    open->closed = !opened.ok();
    open_requests_.push_back(request);
    opens_.push_back(open);
  }
  if (before != nullptr) {
    before->events->OnClosed(MakeError(ErrorNumber::kReopen, "resumed elsewhere", Retry::kReopen));
  }
  Run([events, opened]() mutable {
    const absl::Status status = opened.status();
    events->OnOpened(std::move(opened));
    if (!status.ok()) events->OnClosed(status);
  });
  return std::make_unique<FakeSession>(this, std::move(open));
}

std::map<uint64_t, int> FakeVolume::executions() {
  MutexLock lock(&mutex_);
  return executions_;
}

std::vector<uint64_t> FakeVolume::cancels() {
  MutexLock lock(&mutex_);
  return cancels_;
}

bool FakeVolume::detached() {
  MutexLock lock(&mutex_);
  return detached_;
}

}  // namespace quire::testing
