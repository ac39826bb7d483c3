#include "server/volume/volume_session.h"

#include <atomic>
#include <utility>

#include "quire/limits.h"
#include "server/volume/errors.h"
#include "server/volume/execute_batch.h"
#include "server/volume/ordered_events.h"
#include "server/volume/resolve.h"

namespace quire {
namespace {

// Shared by the session and its requests under way. `open` belongs to the disc process role;
// `ended` to the thread that delivers events.
struct SessionState {
  SessionState(std::shared_ptr<VolumeCore> its_core, std::shared_ptr<SessionEvents> its_events)
      : core(std::move(its_core)),
        events(std::move(its_events)),
        order_key(core->next_order_key.fetch_add(1)) {}

  const std::shared_ptr<VolumeCore> core;
  const std::shared_ptr<SessionEvents> events;
  const uint64_t order_key;
  OrderedEvents order;
  OpenEntry* open = nullptr;
  bool ended = false;
  std::atomic<uint32_t> batches_under_way{0};

  void End(const absl::Status& status) {
    if (std::exchange(ended, true)) return;
    events->OnClosed(status);
  }
};
using StatePointer = std::shared_ptr<SessionState>;

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
    const absl::StatusOr<FileEntry*> entry = ResolveForAccess(state, request_.file);
    if (!entry.ok()) {
      opened_ = entry.status();
      return;
    }
    absl::StatusOr<OpenEntry*> open = state.opens.Open(*entry, request_, state.NowMicros());
    if (!open.ok()) {
      opened_ = open.status();
      return;
    }
    session_->open = *open;
    state.disc.Add(Counter::kRequests, 2);
    opened_ = Opened{(*open)->id,
                     state.options.lease_ms,
                     kSessionCredits,
                     kMaxBatchBytes,
                     kMaxBatchOperations,
                     state.epoch,
                     InfoOf((*entry)->label()),
                     ErrorNumber::kOk,
                     {},
                     false};
    opened_->info.open_count = (*entry)->open_count;
    process.WaitForFile(**entry, *this);
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
  OpenRequest request_;
  absl::StatusOr<Opened> opened_ = absl::UnknownError("not executed");
};

class BatchRequest : public SessionRequest {
 public:
  BatchRequest(StatePointer session, OperationBatch batch)
      : SessionRequest(std::move(session)), batch_(std::move(batch)) {}

  bool changes() const override { return batch_.changes(); }
  FileEntry* Target(VolumeState&) override {
    return session_->open == nullptr ? nullptr : session_->open->entry;
  }

  void Execute(VolumeState& state, DiscProcess& process) override {
    if (session_->open == nullptr) {
      result_ = SameForAll(batch_, volume_error::NotOpen(0));
    } else if (batch_.size() > kMaxBatchOperations || batch_.data_bytes() > kMaxBatchBytes) {
      result_ = SameForAll(batch_, volume_error::BatchTooLarge(batch_.data_bytes(), batch_.size()));
    } else {
      ExecuteBatch(state, process, *this, *session_->open, batch_, &result_);
    }
  }

  void Reply(const absl::Status& volume, bool) override {
    if (!volume.ok()) result_ = SameForAll(batch_, volume);
    session_->batches_under_way.fetch_sub(1, std::memory_order_release);
    session_->order.Complete(place_, [session = session_, result = std::move(result_)]() mutable {
      if (!session->ended) session->events->OnResults(std::move(result));
    });
  }

 private:
  OperationBatch batch_;
  BatchResult result_;
};

class CloseSessionRequest : public SessionRequest {
 public:
  CloseSessionRequest(StatePointer session, absl::Status status)
      : SessionRequest(std::move(session)), status_(std::move(status)) {}

  FileEntry* Target(VolumeState&) override { return nullptr; }

  void Execute(VolumeState& state, DiscProcess&) override {
    if (session_->open == nullptr) return;
    state.opens.Close(std::exchange(session_->open, nullptr), state.NowMicros());
    state.disc.Add(Counter::kRequests);
  }

  void Reply(const absl::Status& volume, bool) override {
    if (status_.ok() && !volume.ok()) status_ = volume;
    session_->order.Complete(
        place_, [session = session_, status = std::move(status_)] { session->End(status); });
  }

 private:
  absl::Status status_;
};

class VolumeSession : public Session {
 public:
  explicit VolumeSession(StatePointer state) : state_(std::move(state)) {}

  ~VolumeSession() override {
    if (!closing_) EndWith(absl::CancelledError("the session was dropped without Close"));
  }

  void Submit(OperationBatch batch) override {
    if (closing_) return;
    if (state_->batches_under_way.fetch_add(1, std::memory_order_acquire) >= kSessionCredits) {
      EndWith(volume_error::TooManyBatches(kSessionCredits));
      return;
    }
    state_->core->process.Submit(std::make_unique<BatchRequest>(state_, std::move(batch)));
  }

  void Close() override { EndWith(absl::OkStatus()); }

 private:
  void EndWith(absl::Status status) {
    if (std::exchange(closing_, true)) return;
    state_->core->process.Submit(std::make_unique<CloseSessionRequest>(state_, std::move(status)));
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
