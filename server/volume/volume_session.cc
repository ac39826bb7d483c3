#include "server/volume/volume_session.h"

#include <atomic>
#include <new>
#include <optional>
#include <utility>

#include "quire/limits.h"
#include "quire/lock.h"
#include "server/volume/batch_execution.h"
#include "server/volume/errors.h"
#include "server/volume/open_lifetime.h"
#include "server/volume/ordered_events.h"
#include "server/volume/reopened.h"
#include "server/volume/resolve.h"
#include "server/volume/security.h"

namespace quire {
namespace {

// Shared by the session and its requests under way. `open_id` and `progress` belong to the disc
// process role; `ended` to the thread that delivers events.
struct SessionState {
  SessionState(std::shared_ptr<VolumeCore> its_core, std::shared_ptr<SessionEvents> its_events)
      : core(std::move(its_core)),
        events(std::move(its_events)),
        order_key(core->next_order_key.fetch_add(1)) {}

  const std::shared_ptr<VolumeCore> core;
  const std::shared_ptr<SessionEvents> events;
  const uint64_t order_key;
  OrderedEvents order;
  uint64_t open_id = 0;
  StreamProgress progress;
  bool ended = false;
  std::atomic<uint32_t> batches_under_way{0};

  // The open, as long as this stream holds it. Role.
  OpenEntry* Held(VolumeState& state) const {
    OpenEntry* const open = state.opens.Find(open_id);
    return open != nullptr && open->stream == order_key ? open : nullptr;
  }
  void End(const absl::Status& status) {
    if (std::exchange(ended, true)) return;
    events->OnClosed(status);
  }
};
using StatePointer = std::shared_ptr<SessionState>;

// Ends the stream with `status` behind all results that are due.
void EndInOrder(const StatePointer& session, absl::Status status) {
  session->order.Complete(session->order.Reserve(),
                          [session, status = std::move(status)] { session->End(status); });
}

class SessionRequest : public Request {
 public:
  explicit SessionRequest(StatePointer session)
      : session_(std::move(session)), place_(session_->order.Reserve()) {}
  uint64_t order_key() const override { return session_->order_key; }

 protected:
  StatePointer session_;
  const uint64_t place_;
};

class OpenSessionRequest : public SessionRequest {
 public:
  OpenSessionRequest(StatePointer session, OpenRequest request)
      : SessionRequest(std::move(session)), request_(std::move(request)) {}

  FileEntry* Target(VolumeState& state) override { return FindFile(state, request_.file.name); }

  void Execute(VolumeState& state, DiscProcess& process) override {
    opened_ = Open(state, process);
  }

  void Reply(const absl::Status& volume, bool) override {
    if (!volume.ok()) opened_ = volume;
    session_->order.Complete(place_, [session = session_, opened = std::move(opened_)]() mutable {
      if (session->ended) return;
      const absl::Status status = opened.status();
      session->events->OnOpened(std::move(opened));
      if (!status.ok()) session->End(status);
    });
  }

 private:
  absl::StatusOr<Opened> Open(VolumeState& state, DiscProcess& process) {
    if (!IsLockMode(request_.lock_mode)) return volume_error::NoSuchLockMode(request_.lock_mode);
    if (request_.sync_depth > kMaxSyncDepth) {
      return volume_error::BadSyncDepth(request_.sync_depth);
    }
    const absl::StatusOr<FileEntry*> entry = ResolveForAccess(state, request_.file);
    if (!entry.ok()) return entry.status();
    process.BeginChange();
    absl::StatusOr<OpenEntry*> open = nullptr;
    if (request_.resume.has_value()) {
      if (absl::Status s = CheckResume(**entry); !s.ok()) return s;
      open = state.opens.Resume(*entry, request_, state.epoch);
      if (!open.ok()) return Refusal(state, open.status());
    }
    const std::vector<PartitionMark> marks = request_.resume.has_value()
                                                 ? request_.resume->state.partitions
                                                 : std::vector<PartitionMark>();
    const PartitionMark mark = marks.size() == 1 ? marks[0] : PartitionMark();
    bool kept = false;
    if (*open != nullptr) {
      TakeOver(process, **open);
      kept = GoOnAsBefore(state, **open, mark);
    } else {
      if (absl::Status s = CheckRights(state, (*entry)->label()); !s.ok()) return s;
      open = state.opens.Open(*entry, request_, state.NowMicros());
      if (!open.ok()) return open.status();
      (*open)->lock_mode = request_.lock_mode;
      (*open)->position = std::make_unique<OpenPosition>(&(*entry)->file);
      state.disc.Add(Counter::kRequests, 2);
      if (request_.resume.has_value()) kept = GoOnAfterRestart(state, **open, mark);
    }
    Hold(state, **open);
    process.WaitForFile(**entry, *this);
    Opened opened;
    opened.open_id = (*open)->id;
    opened.lease_ms = state.options.lease_ms;
    opened.credits = kSessionCredits;
    opened.max_batch_bytes = kMaxBatchBytes;
    opened.max_batch_operations = kMaxBatchOperations;
    opened.epoch = state.epoch;
    opened.info = InfoOf((*entry)->label());
    opened.info.open_count = (*entry)->open_count;
    opened.state = session_->progress.told;
    opened.answers_kept = kept;
    return opened;
  }

  absl::Status CheckRights(const VolumeState& state, const FileLabel& label) const {
    if (request_.access != AccessMode::kWrite) {
      if (absl::Status s = CheckRight(state.options, label, Right::kRead); !s.ok()) return s;
    }
    return request_.access == AccessMode::kRead ? absl::OkStatus()
                                                : CheckRight(state.options, label, Right::kWrite);
  }

  // Bytes from the wire: the position must fit the file.
  absl::Status CheckResume(const FileEntry& entry) const {
    const OpenState& state = request_.resume->state;
    if (!IsLockMode(state.lock_mode)) return volume_error::NoSuchLockMode(state.lock_mode);
    const uint32_t key_length = entry.label().attributes.key_length;
    if (state.position.key.size() <= key_length) return absl::OkStatus();
    return volume_error::PositionOfOtherFile(state.position.key.size(), key_length);
  }

  // Lost locks end the open; that it lost changes as well must not stay untold.
  absl::Status Refusal(const VolumeState& state, absl::Status refusal) const {
    const std::vector<PartitionMark>& marks = request_.resume->state.partitions;
    if (marks.size() != 1 || marks[0].locks == 0) return refusal;
    absl::Status lost = CheckNothingLost(state, marks[0]);
    return lost.ok() ? refusal : lost;
  }

  void TakeOver(DiscProcess& process, OpenEntry& open) const {
    if (open.stream == 0) return;
    process.EndLockWait(open.stream, LockWaitEnd::kGivenUp);
    if (open.end_stream) open.end_stream();
  }

  void Hold(VolumeState& state, OpenEntry& open) {
    session_->open_id = open.id;
    open.stream = session_->order_key;
    open.detached_us = 0;
    open.end_stream = [weak = std::weak_ptr<SessionState>(session_), id = open.id] {
      if (const StatePointer session = weak.lock()) {
        EndInOrder(session, volume_error::ResumedElsewhere(id));
      }
    };
    if (request_.resume.has_value()) {
      // The client goes on from the last result it has; what came after it is sent again.
      open.position->Set(request_.resume->state.position);
      open.lock_mode = request_.resume->state.lock_mode;
      open.answers.AckThrough(request_.resume->acked_through);
    }
    session_->progress.told = StateOf(state, open);
  }

  OpenRequest request_;
  absl::StatusOr<Opened> opened_ = absl::UnknownError("not executed");
};

class BatchRequest : public SessionRequest {
 public:
  BatchRequest(StatePointer session, BatchExecution execution)
      : SessionRequest(std::move(session)), execution_(std::move(execution)) {
    caller_waits = execution_.batch().caller_waits;
  }

  bool changes() const override { return execution_.batch().changes(); }
  bool bulk() const override { return execution_.batch().size() >= kLeastBulkOperations; }
  FileEntry* Target(VolumeState& state) override {
    const OpenEntry* const open = session_->Held(state);
    return open == nullptr ? nullptr : open->entry;
  }

  void Execute(VolumeState& state, DiscProcess& process) override {
    const OperationBatch& batch = execution_.batch();
    OpenEntry* const open = session_->Held(state);
    if (open == nullptr) {
      Leave(state);
      execution_.EndWith(session_->open_id == 0 ? volume_error::NotOpen(0)
                                                : volume_error::StreamGone(session_->open_id));
    } else if (batch.size() > kMaxBatchOperations || batch.data_bytes() > kMaxBatchBytes) {
      execution_.EndWith(volume_error::BatchTooLarge(batch.data_bytes(), batch.size()));
    } else {
      execution_.Run(state, process, *this, *open);
    }
  }

  void Reply(const absl::Status& volume, bool) override {
    if (!volume.ok()) execution_.ReplaceBy(volume);
    session_->batches_under_way.fetch_sub(1, std::memory_order_release);
    session_->order.Complete(place_,
                             [session = session_, result = execution_.TakeResult()]() mutable {
                               if (!session->ended) session->events->OnResults(std::move(result));
                             });
  }

 private:
  // A wait that ended after its stream had gone: the open may go on over another stream, and must
  // not keep what this one was given.
  void Leave(VolumeState& state) {
    OpenEntry* const open = state.opens.Find(session_->open_id);
    if (lock_wait.end == LockWaitEnd::kNone || open == nullptr) return;
    --open->waits;
    lock_wait.end = LockWaitEnd::kNone;
  }

  BatchExecution execution_;
};

// Takes back one operation. Not in order: what it takes back may be what the stream waits for.
class CancelRequest : public Request {
 public:
  CancelRequest(StatePointer session, uint64_t sequence)
      : session_(std::move(session)), sequence_(sequence) {}

  void Execute(VolumeState& state, DiscProcess& process) override {
    if (session_->Held(state) == nullptr) return;
    StreamProgress& progress = session_->progress;
    if (progress.waiting_sequence == sequence_) {
      process.EndLockWait(session_->order_key, LockWaitEnd::kCancelled);
    } else if (sequence_ > progress.executed_through &&
               progress.cancelled.size() < kMaxSavedAnswers) {
      progress.cancelled.insert(sequence_);
    }
  }
  void Reply(const absl::Status&, bool) override {}

 private:
  const StatePointer session_;
  const uint64_t sequence_;
};

// The stream waits for no lock any more, from now on.
class GiveUpWaitsRequest : public Request {
 public:
  // `leave`: the stream is gone as well, and what it sent before is not executed any more.
  GiveUpWaitsRequest(StatePointer session, bool leave)
      : session_(std::move(session)), leave_(leave) {}

  void Execute(VolumeState& state, DiscProcess& process) override {
    session_->progress.may_wait = false;
    OpenEntry* const open = session_->Held(state);
    if (open == nullptr) return;
    if (leave_) {
      DetachOpen(state, process, open);
    } else {
      process.EndLockWait(session_->order_key, LockWaitEnd::kGivenUp);
    }
  }
  void Reply(const absl::Status&, bool) override {}

 private:
  const StatePointer session_;
  const bool leave_;
};

// Ends the stream in order: closes the open, or leaves it for its lease.
class EndSessionRequest : public SessionRequest {
 public:
  EndSessionRequest(StatePointer session, bool close, absl::Status status)
      : SessionRequest(std::move(session)), close_(close), status_(std::move(status)) {}

  // The stream ends whatever happens: half of it must not be left behind.
  void Execute(VolumeState& state, DiscProcess& process) noexcept override {
    OpenEntry* const open = session_->Held(state);
    if (open == nullptr) return;
    if (close_) {
      FileEntry& entry = *open->entry;
      EndOpen(state, open);
      if (entry.open_count == 0 && process.NeedsFlush(entry)) Flush(process);
    } else {
      DetachOpen(state, process, open);
    }
  }

  void Reply(const absl::Status& volume, bool) override {
    if (flushing_) return;
    if (status_.ok() && !volume.ok()) status_ = volume;
    EndAt(session_, place_, std::move(status_));
  }

 private:
  static void EndAt(const StatePointer& session, uint64_t place, absl::Status status) {
    session->order.Complete(place, [session, status = std::move(status)] { session->End(status); });
  }

  // The last close of a BUFFERED file: answered when a control point holds its changes.
  void Flush(DiscProcess& process) {
    flushing_ = true;
    process.WantControlPoint(
        [] {},
        [session = session_, place = place_](absl::StatusOr<ControlPointReport> report) {
          EndAt(session, place, report.status());
        });
  }

  const bool close_;
  bool flushing_ = false;
  absl::Status status_;
};

class VolumeSession : public Session {
 public:
  explicit VolumeSession(StatePointer state) : state_(std::move(state)) {}

  ~VolumeSession() override {
    if (std::exchange(closing_, true)) return;
    state_->core->process.Submit(std::make_unique<GiveUpWaitsRequest>(state_, /*leave=*/true));
    EndInOrder(state_, absl::CancelledError("the session was dropped without Close"));
  }

  void Submit(OperationBatch batch) override {
    if (closing_) return;
    if (state_->batches_under_way.fetch_add(1, std::memory_order_acquire) >= kSessionCredits) {
      EndWith(/*close=*/true, volume_error::TooManyBatches(kSessionCredits));
      return;
    }
    std::optional<BatchExecution> execution;
    try {
      execution.emplace(std::move(batch), &state_->progress);
    } catch (const std::bad_alloc&) {
      EndWith(/*close=*/false, volume_error::OutOfMemory());
      return;
    }
    state_->core->process.Submit(std::make_unique<BatchRequest>(state_, *std::move(execution)));
  }

  std::optional<absl::Status> TryRead(std::string_view key, std::string* record) override {
    std::optional<absl::Status> status;
    if (closing_ || state_->batches_under_way.load(std::memory_order_acquire) > 0) return status;
    DiscProcess& process = state_->core->process;
    process.TryRun([&](VolumeState& state) {
      OpenEntry* const open = state_->Held(state);
      if (open != nullptr) status = TryReadByKey(state, process, *open, key, record);
    });
    return status;
  }

  void Cancel(uint64_t sequence) override {
    state_->core->process.Submit(std::make_unique<CancelRequest>(state_, sequence));
  }

  void Close() override { EndWith(/*close=*/true, absl::OkStatus()); }

  void Detach() override {
    if (closing_) return;
    state_->core->process.Submit(std::make_unique<GiveUpWaitsRequest>(state_, /*leave=*/false));
    EndWith(/*close=*/false, volume_error::StreamDetached(state_->core->state.options.name));
  }

 private:
  void EndWith(bool close, absl::Status status) {
    if (std::exchange(closing_, true)) return;
    state_->core->process.Submit(
        std::make_unique<EndSessionRequest>(state_, close, std::move(status)));
  }

  StatePointer state_;
  bool closing_ = false;
};

}  // namespace

std::unique_ptr<Session> OpenVolumeSession(std::shared_ptr<VolumeCore> core, OpenRequest request,
                                           std::shared_ptr<SessionEvents> events) {
  auto state = std::make_shared<SessionState>(std::move(core), std::move(events));
  state->core->process.Submit(std::make_unique<OpenSessionRequest>(state, std::move(request)));
  return std::make_unique<VolumeSession>(std::move(state));
}

}  // namespace quire
