#include "client/transport/grpc_session.h"

#include <deque>
#include <utility>
#include <variant>

#include "absl/base/thread_annotations.h"
#include "client/transport/convert_batch.h"
#include "client/transport/convert_error.h"
#include "client/transport/convert_session.h"
#include "client/transport/errors.h"
#include "quire/mutex.h"

namespace quire {
namespace {

// gRPC's hold on the stream is kept while somebody outside of its callbacks may still start a
// write: until the stream has ended and no write is being made.
class SessionStream final
    : public grpc::ClientBidiReactor<v1::SessionRequest, v1::SessionResponse> {
 public:
  SessionStream(std::shared_ptr<v1::RecordService::Stub> stub,
                std::unique_ptr<grpc::ClientContext> context, std::string target,
                std::shared_ptr<SessionEvents> events)
      : stub_(std::move(stub)),
        context_(std::move(context)),
        target_(std::move(target)),
        events_(std::move(events)) {}

  void Start(const OpenRequest& request, std::shared_ptr<SessionStream> self) {
    self_ = std::move(self);
    ToProto(request, outgoing_.mutable_open());
    stub_->async()->Session(context_.get(), this);
    AddHold();
    StartRead(&incoming_);
    StartWrite(&outgoing_);
    StartCall();
  }

  void Submit(OperationBatch batch) {
    {
      MutexLock lock(&mutex_);
      if (ended_ || close_wanted_ || detach_wanted_) return;  // OnClosed tells: outcome unknown
      queue_.emplace_back(std::move(batch));
      ++batches_without_results_;
    }
    WriteNext();
  }

  // In its turn: the server must have seen the batch before.
  void CancelOperation(uint64_t sequence) {
    {
      MutexLock lock(&mutex_);
      if (ended_ || close_sent_) return;
      queue_.emplace_back(sequence);
    }
    WriteNext();
  }

  void Detach() {
    {
      MutexLock lock(&mutex_);
      if (close_wanted_) return;
      detach_wanted_ = true;
    }
    CancelIfDetached();
  }

  void Close() {
    {
      MutexLock lock(&mutex_);
      close_wanted_ = true;
    }
    WriteNext();
  }

  void Cancel() { context_->TryCancel(); }

  void OnReadDone(bool ok) override {
    if (!ok) return End();
    if (absl::Status status = Deliver(); !status.ok()) {
      broken_ = std::move(status);
      context_->TryCancel();
      return End();
    }
    StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override {
    bool release = false;
    {
      MutexLock lock(&mutex_);
      writing_ = false;
      // After a failed write the stream has ended; the read side reports it.
      can_write_ = can_write_ && ok;
      release = ended_ && std::exchange(holding_, false);
    }
    if (release) return RemoveHold();
    WriteNext();
  }

  void OnDone(const grpc::Status& status) override {
    absl::Status why = FromGrpc(status, *context_, target_);
    if (detached()) why = transport_errors::Detached();
    if (!broken_.ok()) why = broken_;
    if (!opened_) {
      if (why.ok()) why = transport_errors::MalformedAnswer("the session ended without an open");
      events_->OnOpened(why);
    }
    events_->OnClosed(why);
    events_.reset();
    const std::shared_ptr<SessionStream> last = std::move(self_);
  }

 private:
  using Message = std::variant<OperationBatch, uint64_t>;  // uint64_t: cancels the operation

  // Tells the user what `incoming_` holds.
  absl::Status Deliver() {
    switch (incoming_.response_case()) {
      case v1::SessionResponse::kOpened:
        return DeliverOpened();
      case v1::SessionResponse::kResult: {
        absl::StatusOr<BatchResult> result = FromProto(std::move(*incoming_.mutable_result()));
        if (!result.ok()) return result.status();
        if (!opened_) return transport_errors::MalformedAnswer("results before the open");
        events_->OnResults(*std::move(result));
        {
          MutexLock lock(&mutex_);
          if (batches_without_results_ > 0) --batches_without_results_;
        }
        CancelIfDetached();
        return absl::OkStatus();
      }
      case v1::SessionResponse::kError:
        return FromProto(incoming_.error());
      default:
        return transport_errors::MalformedAnswer("a session response without content");
    }
  }

  absl::Status DeliverOpened() {
    if (opened_) return transport_errors::MalformedAnswer("a session was opened twice");
    absl::StatusOr<Opened> opened = FromProto(incoming_.opened());
    if (!opened.ok()) return opened.status();
    opened_ = true;
    {
      MutexLock lock(&mutex_);
      can_write_ = true;
    }
    events_->OnOpened(*std::move(opened));
    WriteNext();
    CancelIfDetached();
    return absl::OkStatus();
  }

  bool detached() {
    MutexLock lock(&mutex_);
    return detached_;
  }

  // The stream is given up on purpose once nothing is owed on it.
  void CancelIfDetached() {
    {
      MutexLock lock(&mutex_);
      // Before the open stands there is nothing that could live on.
      if (!detach_wanted_ || !can_write_ || ended_ || batches_without_results_ > 0) return;
      detached_ = true;
    }
    context_->TryCancel();
  }

  void End() {
    bool release = false;
    {
      MutexLock lock(&mutex_);
      ended_ = true;
      queue_.clear();
      release = !writing_ && std::exchange(holding_, false);
    }
    if (release) RemoveHold();
  }

  // Converting and serializing happen outside of the mutex: only the one who set writing_ does it.
  void WriteNext() {
    Message next;
    bool close = false;
    {
      MutexLock lock(&mutex_);
      if (writing_ || ended_ || !can_write_) return;
      if (!queue_.empty()) {
        next = std::move(queue_.front());
        queue_.pop_front();
      } else if (close_wanted_ && !close_sent_) {
        close_sent_ = close = true;
      } else {
        return;
      }
      writing_ = true;
    }
    if (close) {
      outgoing_.mutable_close();
      return StartWriteLast(&outgoing_, grpc::WriteOptions());
    }
    if (OperationBatch* batch = std::get_if<OperationBatch>(&next)) {
      v1::Batch* message = outgoing_.mutable_batch();
      message->Clear();
      ToProto(std::move(*batch), message);
    } else {
      outgoing_.mutable_cancel()->set_sequence(std::get<uint64_t>(next));
    }
    StartWrite(&outgoing_);
  }

  const std::shared_ptr<v1::RecordService::Stub> stub_;
  const std::unique_ptr<grpc::ClientContext> context_;
  const std::string target_;
  std::shared_ptr<SessionEvents> events_;
  std::shared_ptr<SessionStream> self_;  // dropped in OnDone

  // Used by gRPC's callbacks alone, which come one after the other on the read side.
  v1::SessionResponse incoming_;
  bool opened_ = false;
  absl::Status broken_;  // why this end gave the stream up

  v1::SessionRequest outgoing_;  // belongs to whoever set writing_

  Mutex mutex_;
  std::deque<Message> queue_ ABSL_GUARDED_BY(mutex_);
  size_t batches_without_results_ ABSL_GUARDED_BY(mutex_) = 0;
  bool writing_ ABSL_GUARDED_BY(mutex_) = true;  // the open, from Start
  bool can_write_ ABSL_GUARDED_BY(mutex_) = false;
  bool close_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool close_sent_ ABSL_GUARDED_BY(mutex_) = false;
  bool detach_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool detached_ ABSL_GUARDED_BY(mutex_) = false;  // the stream was cancelled for it
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool holding_ ABSL_GUARDED_BY(mutex_) = true;
};

class GrpcSession final : public Session {
 public:
  explicit GrpcSession(std::shared_ptr<SessionStream> stream) : stream_(std::move(stream)) {}
  GrpcSession(const GrpcSession&) = delete;
  GrpcSession& operator=(const GrpcSession&) = delete;
  ~GrpcSession() override {
    if (!closed_) stream_->Cancel();
  }

  void Submit(OperationBatch batch) override { stream_->Submit(std::move(batch)); }
  void Cancel(uint64_t sequence) override { stream_->CancelOperation(sequence); }
  void Close() override {
    closed_ = true;
    stream_->Close();
  }
  void Detach() override { stream_->Detach(); }

 private:
  const std::shared_ptr<SessionStream> stream_;
  bool closed_ = false;
};

}  // namespace

std::unique_ptr<Session> StartGrpcSession(std::shared_ptr<v1::RecordService::Stub> stub,
                                          std::unique_ptr<grpc::ClientContext> context,
                                          std::string target, const OpenRequest& request,
                                          std::shared_ptr<SessionEvents> events) {
  auto stream = std::make_shared<SessionStream>(std::move(stub), std::move(context),
                                                std::move(target), std::move(events));
  stream->Start(request, stream);
  return std::make_unique<GrpcSession>(std::move(stream));
}

}  // namespace quire
