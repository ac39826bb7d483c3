#include "server/rpc/session_reactor.h"

#include <algorithm>
#include <deque>
#include <new>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "client/transport/convert_batch.h"
#include "client/transport/convert_error.h"
#include "client/transport/convert_session.h"
#include "quire/mutex.h"
#include "server/base/activity.h"
#include "server/rpc/checked_request.h"
#include "server/rpc/droppable.h"
#include "server/rpc/errors.h"

namespace quire {
namespace {

// Keeps itself alive until OnDone; the service's events may still come later and are then ignored.
// Operations of the stream are started under the mutex, so that none follows Finish.
class SessionReactor final
    : public grpc::ServerBidiReactor<v1::SessionRequest, v1::SessionResponse>,
      public SessionEvents,
      public DrainableStream {
 public:
  SessionReactor(std::shared_ptr<Service> service, std::shared_ptr<StreamRegistry> streams,
                 grpc::CallbackServerContext* context)
      : service_(std::move(service)), streams_(std::move(streams)), context_(context) {}

  void Start(std::shared_ptr<SessionReactor> self) {
    self_ = std::move(self);
    streams_->Add(self_);
    MutexLock lock(&mutex_);
    ReadMore();
  }

  // ---- From gRPC --------------------------------------------------------------------------

  // gRPC swallows exceptions, and the stream would stand still: they end the program instead.
  void OnReadDone(bool ok) noexcept override {
    if (!ok) return EndOfInput();
    switch (incoming_.request_case()) {
      case v1::SessionRequest::kOpen:
        return ReadOpen();
      case v1::SessionRequest::kBatch:
        return ReadBatch();
      case v1::SessionRequest::kClose:
        return CloseInput(absl::OkStatus());
      case v1::SessionRequest::kCancel:
        return ReadCancel();
      default:
        return CloseInput(rpc_errors::UnexpectedMessage("an empty message", "a request"));
    }
  }

  void OnWriteDone(bool ok) noexcept override {
    {
      MutexLock lock(&mutex_);
      writing_ = false;
      if (!ok) gone_ = true;
    }
    if (!ok) session_.Drop();
    WriteNext();
  }

  void OnCancel() noexcept override {
    {
      MutexLock lock(&mutex_);
      gone_ = true;
    }
    session_.Drop();
    WriteNext();
  }

  void OnDone() noexcept override {
    session_.Drop();
    streams_->Remove(self_);
    const std::shared_ptr<SessionReactor> last = std::move(self_);
  }

  // ---- From the service -------------------------------------------------------------------

  void OnOpened(absl::StatusOr<Opened> opened) override {
    {
      MutexLock lock(&mutex_);
      if (!opened.ok()) {
        failure_.Update(opened.status());
      } else {
        credits_ = std::max<uint32_t>(opened->credits, 1);
        opened_ = *std::move(opened);
        ReadMore();
      }
    }
    WriteNext();
  }

  void OnResults(BatchResult result) override {
    {
      MutexLock lock(&mutex_);
      if (gone_) return;
      results_.push_back(std::move(result));
    }
    WriteNext();
  }

  void OnClosed(absl::Status status) override {
    {
      MutexLock lock(&mutex_);
      failure_.Update(status);
      closed_ = true;
    }
    WriteNext();
  }

  // ---- From the registry ------------------------------------------------------------------

  void Drain() override { CloseInput(rpc_errors::ShuttingDown(), Ending::kDetach); }

 private:
  enum class Ending { kClose, kDetach };

  // Nothing more can be read: the client closed its side, which is a Close, or the stream broke,
  // which is none. gRPC reports both alike, and a break a second time behind it; the answer to
  // another read comes after that second report.
  void EndOfInput() {
    if (context_->IsCancelled()) return OnCancel();
    {
      MutexLock lock(&mutex_);
      reading_ = false;
      if (!std::exchange(end_of_input_, true)) {
        ReadMore();
        if (reading_) return;
      }
    }
    CloseInput(absl::OkStatus());
  }

  void ReadOpen() {
    absl::StatusOr<OpenRequest> request = Converted(incoming_.open());
    absl::Status refusal = request.status();
    {
      MutexLock lock(&mutex_);
      reading_ = false;
      if (open_asked_) refusal = rpc_errors::UnexpectedMessage("a second open", "a batch");
      if (refusal.ok() && !input_closed_) {
        open_asked_ = true;
        inside_ = true;
      } else if (refusal.ok()) {
        return;  // draining: CloseInput has seen to the end
      }
    }
    if (!refusal.ok()) return CloseInput(std::move(refusal));
    session_.Set(service_->OpenSession(*std::move(request), self_));
    LeaveSession();
  }

  // Needs no credit, and does nothing once the session ends.
  void ReadCancel() {
    bool asked = false;
    {
      MutexLock lock(&mutex_);
      reading_ = false;
      asked = open_asked_;
      if (asked && (input_closed_ || gone_ || closed_)) return;
      inside_ = asked;
    }
    if (!asked) return CloseInput(rpc_errors::UnexpectedMessage("a cancel", "the open"));
    const uint64_t sequence = incoming_.cancel().sequence();
    session_.Use([&](Session& session) { session.Cancel(sequence); });
    LeaveSession();
  }

  void ReadBatch() {
    absl::StatusOr<OperationBatch> batch = Converted(std::move(*incoming_.mutable_batch()));
    absl::Status refusal = batch.status();
    {
      MutexLock lock(&mutex_);
      reading_ = false;
      if (!open_asked_) refusal = rpc_errors::UnexpectedMessage("a batch", "the open");
      if (refusal.ok() && batches_under_way_ >= credits_) {
        refusal = rpc_errors::BeyondCredits(credits_);
      }
      if (refusal.ok()) {
        if (input_closed_ || gone_ || closed_) return;
        ++batches_under_way_;
        inside_ = true;
        // Nothing else of the stream is on its way: the client has all results, so that this thread
        // would only be waiting for the next message.
        batch->caller_waits =
            batches_under_way_ == 1 && batch->acked_through + 1 >= batch->first_sequence;
      }
    }
    if (!refusal.ok()) return CloseInput(std::move(refusal));
    session_.Use([&](Session& session) { session.Submit(*std::move(batch)); });
    LeaveSession();
  }

  // The reader has left the session: reads on, or ends it for a CloseInput that came meanwhile.
  void LeaveSession() {
    bool end = false;
    {
      MutexLock lock(&mutex_);
      inside_ = false;
      end = input_closed_ && !gone_;
      ReadMore();
    }
    if (end) EndSession();
  }

  void EndSession() {
    session_.Use([this](Session& session) {
      ending_ == Ending::kDetach ? session.Detach() : session.Close();
    });
  }

  // No more batches are taken; what was submitted is answered, then the stream ends with `why`
  // (OK: the client closed it). Only the first call counts.
  void CloseInput(absl::Status why, Ending ending = Ending::kClose) {
    bool end = false;
    {
      MutexLock lock(&mutex_);
      reading_ = false;
      if (input_closed_) return;
      input_closed_ = true;
      ending_ = ending;
      failure_.Update(why);
      if (!open_asked_) closed_ = true;
      end = open_asked_ && !inside_ && !gone_;
    }
    if (end) EndSession();
    WriteNext();
  }

  void ReadMore() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const bool wait = open_asked_ && credits_ == 0;
    if (reading_ || inside_ || input_closed_ || closed_ || gone_ || wait) return;
    reading_ = true;
    StartRead(&incoming_);
  }

  // Converting and serializing happen outside of the mutex: only the one who set writing_ does it.
  void WriteNext() {
    std::optional<Opened> opened;
    BatchResult result;
    {
      MutexLock lock(&mutex_);
      if (writing_ || finished_) return;
      if (gone_) return FinishLocked(rpc_errors::CallerGone());
      if (opened_) {
        opened = std::move(opened_);
        opened_.reset();
      } else if (!results_.empty()) {
        result = std::move(results_.front());
        results_.pop_front();
        // Given back before the client can know: its next batch may come before the write is done.
        --batches_under_way_;
      } else if (closed_) {
        return FinishLocked(failure_);
      } else {
        return;
      }
      writing_ = true;
    }
    try {
      const ActivityScope activity(Activity::kRpc);
      if (opened) {
        ToProto(*opened, outgoing_.mutable_opened());
      } else {
        v1::BatchResult* message = outgoing_.mutable_result();
        message->Clear();
        ToProto(std::move(result), message);
      }
    } catch (const std::bad_alloc&) {
      // The open lives on for its lease; resumed, it repeats what it has answered.
      MutexLock lock(&mutex_);
      outgoing_.Clear();
      return FinishLocked(rpc_errors::NoMemoryForAnswer());
    }
    StartWrite(&outgoing_);
  }

  void FinishLocked(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    finished_ = true;
    const grpc::Status out = ToGrpc(status, context_);
    if (status.ok() || gone_) return Finish(out);
    ToProto(status, outgoing_.mutable_error());
    StartWriteAndFinish(&outgoing_, grpc::WriteOptions(), out);
  }

  const std::shared_ptr<Service> service_;
  const std::shared_ptr<StreamRegistry> streams_;
  grpc::CallbackServerContext* const context_;
  std::shared_ptr<SessionReactor> self_;  // dropped in OnDone
  Droppable<Session> session_;
  v1::SessionRequest incoming_;   // belongs to the read under way
  v1::SessionResponse outgoing_;  // belongs to whoever set writing_

  Mutex mutex_;
  std::optional<Opened> opened_ ABSL_GUARDED_BY(mutex_);  // not written yet
  std::deque<BatchResult> results_ ABSL_GUARDED_BY(mutex_);
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);  // first reason for an end that is not a Close
  uint32_t credits_ ABSL_GUARDED_BY(mutex_) = 0;  // 0: not open yet
  uint32_t batches_under_way_ ABSL_GUARDED_BY(mutex_) = 0;  // submitted, writing not started
  bool open_asked_ ABSL_GUARDED_BY(mutex_) = false;
  bool inside_ ABSL_GUARDED_BY(mutex_) = false;  // the reader is calling the service
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool end_of_input_ ABSL_GUARDED_BY(mutex_) = false;  // a read has failed
  bool input_closed_ ABSL_GUARDED_BY(mutex_) = false;
  Ending ending_ = Ending::kClose;               // written once, before input_closed_ is seen
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;  // the service has said its last word
  bool gone_ ABSL_GUARDED_BY(mutex_) = false;    // the client has
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

grpc::ServerBidiReactor<v1::SessionRequest, v1::SessionResponse>* StartSession(
    std::shared_ptr<Service> service, std::shared_ptr<StreamRegistry> streams,
    grpc::CallbackServerContext* context) {
  auto reactor = std::make_shared<SessionReactor>(std::move(service), std::move(streams), context);
  reactor->Start(reactor);
  return reactor.get();
}

}  // namespace quire
