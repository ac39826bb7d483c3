#include "server/volume/disc_process.h"

#include <algorithm>
#include <new>
#include <utility>

#include "server/base/activity.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

// More sealed batches than this and changing requests wait: the trail is behind.
constexpr uint64_t kMaxSealedBatches = 3;
constexpr uint32_t kTicksPerInterval = 4;
constexpr uint32_t kMinTickMs = 5;
// How often EndThreads looks whether replies left to the helper have run.
constexpr int64_t kEndCheckMicros = 10000;

}  // namespace

DiscProcess::DiscProcess(VolumeState* state)
    : state_(state), open_records_(std::make_unique<TrailBatch>()) {}

DiscProcess::~DiscProcess() = default;

void DiscProcess::Start() {
  const VolumeOptions& options = state_->options;  // the state was still empty in the constructor
  pace_ = ControlPointPace(options.control_point_target_ms, options.dirty_limit_bytes);
  committer_wakes_.Use(options.handoff);
  helper_wakes_.Use(options.handoff);
  last_cut_us_ = state_->options.clock->MonotonicMicros();
  ControlPointWriter::Environment environment;
  environment.store = state_->store.get();
  environment.wait_durable = [this](uint64_t batch) { return WaitDurable(batch); };
  environment.done = [this](ControlPointResult result) {
    Post([&](Inbox& inbox) { inbox.control_point = std::move(result); });
  };
  environment.tick = [this] { Post([](Inbox& inbox) { inbox.tick = true; }); };
  environment.tick_ms = std::max(kMinTickMs, options.control_point_interval_ms / kTicksPerInterval);
  environment.monotonic_us = [clock = options.clock] { return clock->MonotonicMicros(); };
  writer_ = std::make_unique<ControlPointWriter>(std::move(environment));
  writer_->Start();
  committer_ = std::thread([this] { CommitterLoop(); });
  helper_ = std::thread([this] { HelperLoop(); });
}

void DiscProcess::Submit(std::unique_ptr<Request> request) {
  const ActivityScope activity(Activity::kQueue);
  bool stopping = false;
  {
    MutexLock lock(&mutex_);
    stopping = stopping_;
  }
  if (stopping) {
    request->Reply(volume_error::VolumeStopping(state_->options.name), /*executed=*/false);
    return;
  }
  Enqueue(std::move(request));
}

void DiscProcess::Enqueue(std::unique_ptr<Request> request) {
  const bool caller_waits = request->caller_waits && MayCommit();
  {
    MutexLock lock(&mutex_);
    inbox_.requests.PushBack(std::move(request));
    if (busy_) return;
    busy_ = true;
  }
  if (RunRole(caller_waits)) CommitAsCaller();
}

template <typename Change>
void DiscProcess::Post(Change change) {
  MutexLock lock(&mutex_);
  change(inbox_);
  // The posting threads have work of their own that must not wait behind requests.
  if (!busy_) HandRole();
}

void DiscProcess::HandRole() {
  busy_ = true;
  role_handed_ = true;
  helper_wakes_.Signal();
}

bool DiscProcess::RunRole(bool caller_waits) noexcept {
  leave_to_caller_ = caller_waits;
  for (bool first = true;; first = false) {
    Inbox inbox;
    RequestList replies;
    {
      MutexLock lock(&mutex_);
      TakeDueRetry();  // the helper may be the one that is here
      const bool more = !inbox_.empty();
      bool caller_commits = false;
      if (!more || !first) {
        // What was sealed for the caller to write must not wait until it has run the rest.
        const bool unwritten =
            std::exchange(leave_to_caller_, false) && !committing_ && !sealed_.empty();
        caller_commits = unwritten && !more;
        if (unwritten && more) committer_wakes_.Signal();
      }
      if (!more) {
        busy_ = false;
        progress_.SignalAll();
        if (!caller_commits) return false;
        committing_ = true;
        ++committing_callers_;
        return true;
      }
      inbox = std::exchange(inbox_, Inbox{});
      replies = std::move(replies_);
    }
    RunReplies(std::move(replies));
    Work(std::move(inbox));
  }
}

void DiscProcess::Work(Inbox inbox) {
  const bool freed = inbox.control_point.has_value() || inbox.batch_done || inbox.retry;
  if (inbox.control_point.has_value()) FinishControlPoint(*std::move(inbox.control_point));
  if (inbox.tick) LatchWithoutMemory([this] { OnTick(); });
  if (Latched()) RejectAll();
  if (freed) RetryParked();
  while (!inbox.requests.empty()) Admit(inbox.requests.PopFront());
  while (std::exchange(retry_parked_, false)) RetryParked();
  if (Latched()) return;
  MaybeSeal();
  LatchWithoutMemory([this] { MaybeStartControlPoint(); });
}

void DiscProcess::Admit(std::unique_ptr<Request> request) {
  if (Latched()) {
    request->Reply(volume_error::VolumeLatched(state_->options.name, LatchStatus()),
                   /*executed=*/false);
    return;
  }
  try {
    const uint64_t key = request->order_key();
    const bool behind = key != 0 && (parked_keys_.contains(key) || waiting_keys_.contains(key));
    if (behind || !MayRun(*request)) return Park(request);
  } catch (const std::bad_alloc&) {
    request->Reply(volume_error::OutOfMemory(), /*executed=*/false);
    return;
  }
  Run(std::move(request));
}

bool DiscProcess::MayRun(Request& request) {
  const FileEntry* entry = request.Target(*state_);
  if (entry != nullptr && entry->barrier) return false;
  if (!request.changes()) return true;
  if (WaitsForRoom(request.bulk())) {
    // Not at once after one that found no room: the tick tries again.
    if (!flush_.has_value()) {
      control_point_asked_ = true;
      MaybeStartControlPoint();
    }
    if (flush_.has_value()) RetryByTime();
    NoteWait(request, Counter::kDirtyLimitWaits, Counter::kDirtyLimitWaitTime);
    return false;
  }
  if (entry == nullptr || !entry->durable()) return true;
  // One that waits keeps those behind it waiting, though the trail may have caught up between the
  // two: changes are made in the order they came in.
  trail_behind_ = (trail_behind_ && !parked_.empty()) || AtRecoveryTarget() ||
                  sealed_count_.load(std::memory_order_relaxed) >= kMaxSealedBatches;
  if (trail_behind_) NoteWait(request, Counter::kTrailWaits, Counter::kTrailWaitTime);
  return !trail_behind_;
}

void DiscProcess::NoteWait(Request& request, Counter waits, Counter time) {
  if (request.parked_us != 0) return;
  state_->disc.Add(waits);
  request.parked_us = state_->options.clock->MonotonicMicros();
  request.parked_time = time;
}

void DiscProcess::Park(std::unique_ptr<Request>& request) {
  if (request->order_key() != 0) parked_keys_.insert(request->order_key());
  parked_.PushBack(std::move(request));
}

void DiscProcess::RetryParked() {
  // Admit parks again, in the same order, what still cannot run.
  RequestList waiting = std::move(parked_);
  parked_keys_.clear();
  trail_behind_ = bulk_waits_for_room_ = single_waits_for_room_ = false;
  while (!waiting.empty()) Admit(waiting.PopFront());
}

void DiscProcess::Run(std::unique_ptr<Request> request) {
  if (request->parked_us != 0) {
    state_->disc.Add(request->parked_time,
                     state_->options.clock->MonotonicMicros() - request->parked_us);
    request->parked_us = 0;
  }
  if (const absl::Status status = Execute(*request); !status.ok()) {
    const ActivityScope activity(Activity::kOutside);
    request->Reply(status, /*executed=*/true);
  } else if (request->lock_wait.waiter != 0) {
    KeepWaiting(std::move(request));
  } else {
    Route(std::move(request));
  }
  ResumeWaiting();
}

absl::Status DiscProcess::Execute(Request& request) {
  const ActivityScope activity(Activity::kRequest);
  const uint64_t before = ChangesBegun();
  try {
    request.Execute(*state_, *this);
    return absl::OkStatus();
  } catch (const std::bad_alloc&) {
    // Else half of a change, or a waiter that nobody will wake.
    if (ChangesBegun() == before && request.lock_wait.waiter == 0) {
      return volume_error::OutOfMemory();
    }
    Latch(volume_error::OutOfMemoryInChange());
    return volume_error::OutcomeUnknown(state_->options.name, LatchStatus());
  }
}

template <typename Step>
void DiscProcess::LatchWithoutMemory(Step step) {
  try {
    step();
  } catch (const std::bad_alloc&) {
    Latch(volume_error::OutOfMemoryInChange());
  }
}

void DiscProcess::Route(std::unique_ptr<Request> request) {
  const uint64_t batch = request->wait_batch;
  if (batch > durable_batch_.load(std::memory_order_acquire)) {
    if (batch == open_number_) {
      open_waiters_.PushBack(std::move(request));
      return;
    }
    MutexLock lock(&mutex_);
    for (SealedBatch& sealed : sealed_) {
      if (sealed.number != batch) continue;
      sealed.waiters.PushBack(std::move(request));
      return;
    }
  }
  // Durable, or the volume latched between Execute and here.
  const bool durable = batch <= durable_batch_.load(std::memory_order_acquire);
  const ActivityScope activity(Activity::kOutside);
  request->Reply(durable ? absl::OkStatus()
                         : volume_error::OutcomeUnknown(state_->options.name, LatchStatus()),
                 /*executed=*/true);
}

void DiscProcess::RejectAll() {
  const absl::Status why = LatchStatus();
  const absl::Status unknown = volume_error::OutcomeUnknown(state_->options.name, why);
  while (!open_waiters_.empty()) open_waiters_.PopFront()->Reply(unknown, /*executed=*/true);
  while (!parked_.empty()) {
    parked_.PopFront()->Reply(volume_error::VolumeLatched(state_->options.name, why), false);
  }
  parked_keys_.clear();
  for (auto& [waiter, request] : std::exchange(waiting_, {})) request->Reply(unknown, true);
  waiting_keys_.clear();
  for (WantedControlPoint& wanted : std::exchange(wanted_, {})) std::move(wanted.done)(unknown);
  if (flush_.has_value()) return;  // its end reports to under_way_
  for (AfterControlPoint& done : std::exchange(under_way_, {})) std::move(done)(unknown);
}

void DiscProcess::WaitForFile(const FileEntry& entry, Request& request) {
  if (entry.durable()) {
    request.wait_batch = std::max(request.wait_batch, entry.last_change_batch);
  }
}

void DiscProcess::NoteChange(FileEntry& entry, const RedoRecord& change, Request& request) {
  ++state_->change_sequence;
  if (!entry.durable()) {
    entry.buffered_change = state_->change_sequence;
    buffered_changes_ = true;
    return;
  }
  if (!entry.file.cached().write_through) {
    const ActivityScope activity(Activity::kTrail);
    EncodeRedo(change, &redo_);
    replay_since_cut_.AddRedo();
    AddToBatch(TrailRecord{TrailRecordKind::kRedo, entry.id(), 0, redo_});
  } else if (entry.state_batch != open_number_) {
    entry.state_batch = open_number_;
    open_files_.push_back(&entry);
  }
  entry.last_change_batch = open_number_;
  request.wait_batch = open_number_;
}

void DiscProcess::Log(const Command& command, FileEntry* entry, Request& request) {
  BeginChange();
  TrailRecord record;
  record.kind = TrailRecordKind::kCommand;
  record.file = command.label.id;
  const std::string payload = EncodeCommand(command);
  record.payload = payload;
  AddToBatch(record);
  request.wait_batch = open_number_;
  if (entry == nullptr) return;
  entry->last_change_batch = open_number_;
  if (command.kind == CommandKind::kPurge) std::erase(open_files_, entry);
}

absl::Status DiscProcess::Health() const {
  if (!Latched()) return absl::OkStatus();
  return volume_error::VolumeLatched(state_->options.name, LatchStatus());
}

absl::Status DiscProcess::LatchStatus() const {
  MutexLock lock(&mutex_);
  return latch_status_;
}

void DiscProcess::OnLatched(std::function<void(absl::Status)> callback) {
  absl::Status status;
  {
    MutexLock lock(&mutex_);
    if (!Latched()) {
      on_latched_ = std::move(callback);
      return;
    }
    status = latch_status_;
  }
  callback(status);
}

void DiscProcess::Latch(const absl::Status& why) {
  std::function<void(absl::Status)> callback;
  {
    MutexLock lock(&mutex_);
    if (Latched()) return;
    latch_status_ = why;
    latched_.store(true, std::memory_order_release);
    callback = std::exchange(on_latched_, nullptr);
    committer_wakes_.Signal();
    progress_.SignalAll();
  }
  // The role must answer what waits in it.
  Post([](Inbox& inbox) { inbox.tick = true; });
  if (callback) callback(why);
}

void DiscProcess::Crash() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
    on_latched_ = nullptr;
  }
  Latch(volume_error::EndedWithoutFlushing());
  EndThreads();
}

void DiscProcess::EndThreads() {
  // The writer first: the end of its last control point is an event for the role, which may still
  // be held by somebody and cut another one.
  writer_->End();
  {
    MutexLock lock(&mutex_);
    while (busy_ || committing_callers_ > 0 || !inbox_.empty() || !sealed_.empty() ||
           !replies_.empty()) {
      progress_.WaitForMicros(&mutex_, kEndCheckMicros);
    }
    ending_ = true;
    committer_wakes_.Signal();
    helper_wakes_.Signal();
  }
  committer_.join();
  helper_.join();
}

}  // namespace quire
