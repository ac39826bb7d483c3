#include "server/rpc/load_reactor.h"

#include <deque>
#include <new>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "client/transport/convert_common.h"
#include "client/transport/convert_error.h"
#include "client/transport/convert_record.h"
#include "quire/mutex.h"
#include "server/base/activity.h"
#include "server/rpc/checked_request.h"
#include "server/rpc/droppable.h"
#include "server/rpc/errors.h"

namespace quire {
namespace {

// Keeps itself alive until OnDone. Operations of the stream are started under the mutex, so that
// none follows Finish.
class LoadReactor final : public grpc::ServerBidiReactor<v1::LoadRequest, v1::LoadResponse>,
                          public DrainableStream {
 public:
  LoadReactor(std::shared_ptr<Service> service, std::shared_ptr<StreamRegistry> streams,
              grpc::CallbackServerContext* context)
      : service_(std::move(service)), streams_(std::move(streams)), context_(context) {}

  void Start(std::shared_ptr<LoadReactor> self) {
    self_ = std::move(self);
    streams_->Add(self_);
    MutexLock lock(&mutex_);
    ReadMore();
  }

  // gRPC swallows exceptions, and the stream would stand still: they end the program instead.
  void OnReadDone(bool ok) noexcept override {
    if (!ok) return EndInput(absl::OkStatus());
    if (incoming_.has_header()) return ReadHeader();
    if (incoming_.has_chunk()) return ReadChunk();
    EndInput(rpc_errors::UnexpectedMessage("an empty message", "a chunk"));
  }

  void OnWriteDone(bool ok) noexcept override {
    {
      MutexLock lock(&mutex_);
      writing_ = false;
      gone_ = gone_ || !ok;
      --chunks_under_way_;
      ReadMore();
    }
    WriteNext();
  }

  void OnCancel() noexcept override {
    {
      MutexLock lock(&mutex_);
      gone_ = true;
    }
    load_.Drop();
    WriteNext();
  }

  void OnDone() noexcept override {
    load_.Drop();
    streams_->Remove(self_);
    const std::shared_ptr<LoadReactor> last = std::move(self_);
  }

  void Drain() override { EndInput(rpc_errors::ShuttingDown()); }

 private:
  void ReadHeader() {
    absl::StatusOr<LoadRequest> request = Converted(incoming_.header());
    {
      MutexLock lock(&mutex_);
      if (started_) request = rpc_errors::UnexpectedMessage("a second header", "a chunk");
      started_ = started_ || request.ok();
    }
    if (!request.ok()) return EndInput(request.status());
    load_.Set(service_->Load(*std::move(request)));
    if (incoming_.has_chunk()) return ReadChunk();
    MutexLock lock(&mutex_);
    reading_ = false;
    ReadMore();
  }

  void ReadChunk() {
    absl::StatusOr<RecordChunk> chunk = Converted(std::move(*incoming_.mutable_chunk()));
    absl::Status refusal = chunk.status();
    {
      MutexLock lock(&mutex_);
      if (!started_) refusal = rpc_errors::UnexpectedMessage("a chunk", "the header");
      if (refusal.ok()) {
        if (input_ended_ || gone_) return;
        ++chunks_under_way_;
        ++chunks_unanswered_;
      }
    }
    if (!refusal.ok()) return EndInput(std::move(refusal));
    load_.Use([&](LoadStream& load) {
      load.Send(*std::move(chunk),
                [self = self_](absl::StatusOr<LoadAnswer> a) { self->TakeAnswer(std::move(a)); });
    });
    {
      MutexLock lock(&mutex_);
      reading_ = false;
      ReadMore();
    }
    WriteNext();
  }

  void TakeAnswer(absl::StatusOr<LoadAnswer> answer) {
    {
      MutexLock lock(&mutex_);
      --chunks_unanswered_;
      // Behind a stop everything else is refused; the client knows it by the stop.
      if (stopped_) {
        if (answer.ok()) failure_.Update(rpc_errors::UnexpectedMessage("an answer", "the end"));
      } else if (!answer.ok()) {
        failure_.Update(answer.status());
        input_ended_ = true;
      } else {
        stopped_ = answer->stopped;
        input_ended_ = input_ended_ || stopped_;
        answers_.push_back(*std::move(answer));
      }
    }
    WriteNext();
  }

  // No more chunks are taken; those sent to the service are answered, then the stream ends with
  // `why` (OK: the client closed it). Only the first reason counts.
  void EndInput(const absl::Status& why) {
    {
      MutexLock lock(&mutex_);
      if (!input_ended_) failure_.Update(why);
      input_ended_ = true;
      reading_ = false;
    }
    WriteNext();
  }

  void ReadMore() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (reading_ || input_ended_ || gone_ || chunks_under_way_ >= kLoadChunksUnderWay) return;
    reading_ = true;
    StartRead(&incoming_);
  }

  void WriteNext() {
    bool finish_load = false;
    {
      MutexLock lock(&mutex_);
      if (writing_ || finished_) return;
      if (gone_) return FinishLocked(rpc_errors::CallerGone());
      if (!answers_.empty()) {
        outgoing_.Clear();
        try {
          const ActivityScope activity(Activity::kRpc);
          ToProto(answers_.front(), &outgoing_);
        } catch (const std::bad_alloc&) {
          return FinishLocked(rpc_errors::NoMemoryForAnswer());
        }
        answers_.pop_front();
        writing_ = true;
        return StartWrite(&outgoing_);
      }
      if (!input_ended_ || chunks_unanswered_ > 0 || finishing_) return;
      if (!started_ || !failure_.ok()) return FinishLocked(failure_);
      finish_load = finishing_ = true;
    }
    if (!finish_load) return;
    const bool used = load_.Use([&](LoadStream& load) {
      load.Finish([self = self_](const absl::Status& status) { self->End(status); });
    });
    if (!used) End(rpc_errors::CallerGone());
  }

  void End(const absl::Status& status) {
    MutexLock lock(&mutex_);
    failure_.Update(status);
    if (!finished_) FinishLocked(failure_);
  }

  void FinishLocked(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    finished_ = true;
    Finish(ToGrpc(status, context_));
  }

  const std::shared_ptr<Service> service_;
  const std::shared_ptr<StreamRegistry> streams_;
  grpc::CallbackServerContext* const context_;
  std::shared_ptr<LoadReactor> self_;  // dropped in OnDone
  Droppable<LoadStream> load_;
  v1::LoadRequest incoming_;  // belongs to the read under way

  Mutex mutex_;
  v1::LoadResponse outgoing_;                               // belongs to the write under way
  std::deque<LoadAnswer> answers_ ABSL_GUARDED_BY(mutex_);  // not written yet
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  uint32_t chunks_under_way_ ABSL_GUARDED_BY(mutex_) = 0;   // read, answer not written
  uint32_t chunks_unanswered_ ABSL_GUARDED_BY(mutex_) = 0;  // by the service
  bool started_ ABSL_GUARDED_BY(mutex_) = false;
  bool reading_ ABSL_GUARDED_BY(mutex_) = false;
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool input_ended_ ABSL_GUARDED_BY(mutex_) = false;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  bool finishing_ ABSL_GUARDED_BY(mutex_) = false;
  bool gone_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

grpc::ServerBidiReactor<v1::LoadRequest, v1::LoadResponse>* StartLoad(
    std::shared_ptr<Service> service, std::shared_ptr<StreamRegistry> streams,
    grpc::CallbackServerContext* context) {
  auto reactor = std::make_shared<LoadReactor>(std::move(service), std::move(streams), context);
  reactor->Start(reactor);
  return reactor.get();
}

}  // namespace quire
