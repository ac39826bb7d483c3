#include "client/transport/grpc_load.h"

#include <deque>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/convert_record.h"
#include "client/transport/errors.h"
#include "quire/mutex.h"

namespace quire {
namespace {

// gRPC's hold is kept as in SessionStream: until the stream has ended and no write is being made.
class LoadWriter final : public grpc::ClientBidiReactor<v1::LoadRequest, v1::LoadResponse> {
 public:
  LoadWriter(std::shared_ptr<v1::RecordService::Stub> stub,
             std::unique_ptr<grpc::ClientContext> context, std::string target)
      : stub_(std::move(stub)), context_(std::move(context)), target_(std::move(target)) {}

  void Start(const LoadRequest& request, std::shared_ptr<LoadWriter> self) {
    self_ = std::move(self);
    ToProto(request, outgoing_.mutable_header());
    stub_->async()->Load(context_.get(), this);
    AddHold();
    StartRead(&incoming_);
    StartWrite(&outgoing_);
    StartCall();
  }

  void Send(RecordChunk chunk, Done<LoadAnswer> done) {
    std::optional<absl::Status> refused;
    {
      MutexLock lock(&mutex_);
      if (stopped_) {
        refused = transport_errors::LoadStopped();
      } else if (finish_wanted_) {
        refused = transport_errors::AlreadyClosed("load");
      } else if (outcome_) {
        refused = outcome_->ok() ? transport_errors::AlreadyClosed("load") : *outcome_;
      } else {
        queue_.push_back(std::move(chunk));
        waiting_.push_back(std::move(done));
      }
    }
    if (refused) return std::move(done)(*std::move(refused));
    WriteNext();
  }

  void Finish(DoneStatus done) {
    std::optional<absl::Status> outcome;
    {
      MutexLock lock(&mutex_);
      finish_wanted_ = true;
      outcome = outcome_;
      if (!outcome) finish_ = std::move(done);
    }
    if (outcome) return std::move(done)(*std::move(outcome));
    WriteNext();
  }

  void Cancel() { context_->TryCancel(); }

  void OnReadDone(bool ok) override {
    if (!ok) return End();
    LoadAnswer answer = FromProto(incoming_);
    Done<LoadAnswer> waiting;
    {
      MutexLock lock(&mutex_);
      stopped_ = stopped_ || answer.stopped;
      if (stopped_) queue_.clear();
      if (!waiting_.empty()) {
        waiting = std::move(waiting_.front());
        waiting_.pop_front();
      }
    }
    if (!waiting) {  // an answer that nobody asked for
      context_->TryCancel();
      return End();
    }
    std::move(waiting)(std::move(answer));
    StartRead(&incoming_);
  }

  void OnWriteDone(bool ok) override { Written(ok); }
  void OnWritesDoneDone(bool ok) override { Written(ok); }

  void OnDone(const grpc::Status& status) override {
    absl::Status outcome = FromGrpc(status, *context_, target_);
    std::deque<Done<LoadAnswer>> waiting;
    DoneStatus finish;
    absl::Status unanswered;
    {
      MutexLock lock(&mutex_);
      unanswered = !outcome.ok() ? outcome
                   : stopped_    ? transport_errors::LoadStopped()
                                 : transport_errors::MalformedAnswer("a chunk without an answer");
      outcome_ = outcome;
      waiting.swap(waiting_);
      finish = std::exchange(finish_, nullptr);
    }
    for (Done<LoadAnswer>& done : waiting) std::move(done)(unanswered);
    if (finish) std::move(finish)(std::move(outcome));
    const std::shared_ptr<LoadWriter> last = std::move(self_);
  }

 private:
  void Written(bool ok) {
    bool release = false;
    {
      MutexLock lock(&mutex_);
      writing_ = false;
      can_write_ = can_write_ && ok;
      release = ended_ && std::exchange(holding_, false);
    }
    if (release) return RemoveHold();
    WriteNext();
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

  void WriteNext() {
    RecordChunk chunk;
    {
      MutexLock lock(&mutex_);
      if (writing_ || ended_ || !can_write_) return;
      if (queue_.empty()) {
        if (!finish_wanted_ || finish_sent_) return;
        finish_sent_ = writing_ = true;
        return StartWritesDone();
      }
      chunk = std::move(queue_.front());
      queue_.pop_front();
      writing_ = true;
    }
    outgoing_.clear_header();
    ToProto(std::move(chunk), outgoing_.mutable_chunk());
    StartWrite(&outgoing_);
  }

  const std::shared_ptr<v1::RecordService::Stub> stub_;
  const std::unique_ptr<grpc::ClientContext> context_;
  const std::string target_;
  std::shared_ptr<LoadWriter> self_;  // dropped in OnDone
  v1::LoadResponse incoming_;         // belongs to the read side
  v1::LoadRequest outgoing_;          // belongs to whoever set writing_

  Mutex mutex_;
  std::deque<RecordChunk> queue_ ABSL_GUARDED_BY(mutex_);
  std::deque<Done<LoadAnswer>> waiting_ ABSL_GUARDED_BY(mutex_);  // sent or queued, in order
  DoneStatus finish_ ABSL_GUARDED_BY(mutex_);
  std::optional<absl::Status> outcome_ ABSL_GUARDED_BY(mutex_);  // of the stream, once it is over
  bool writing_ ABSL_GUARDED_BY(mutex_) = true;                  // the header, from Start
  bool can_write_ ABSL_GUARDED_BY(mutex_) = true;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  bool finish_wanted_ ABSL_GUARDED_BY(mutex_) = false;
  bool finish_sent_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool holding_ ABSL_GUARDED_BY(mutex_) = true;
};

class GrpcLoad final : public LoadStream {
 public:
  explicit GrpcLoad(std::shared_ptr<LoadWriter> writer) : writer_(std::move(writer)) {}
  GrpcLoad(const GrpcLoad&) = delete;
  GrpcLoad& operator=(const GrpcLoad&) = delete;
  ~GrpcLoad() override {
    if (!finishing_) writer_->Cancel();
  }

  void Send(RecordChunk chunk, Done<LoadAnswer> done) override {
    writer_->Send(std::move(chunk), std::move(done));
  }
  void Finish(DoneStatus done) override {
    finishing_ = true;
    writer_->Finish(std::move(done));
  }

 private:
  const std::shared_ptr<LoadWriter> writer_;
  bool finishing_ = false;
};

}  // namespace

std::unique_ptr<LoadStream> StartGrpcLoad(std::shared_ptr<v1::RecordService::Stub> stub,
                                          std::unique_ptr<grpc::ClientContext> context,
                                          std::string target, const LoadRequest& request) {
  auto writer =
      std::make_shared<LoadWriter>(std::move(stub), std::move(context), std::move(target));
  writer->Start(request, writer);
  return std::make_unique<GrpcLoad>(std::move(writer));
}

}  // namespace quire
