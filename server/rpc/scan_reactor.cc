#include "server/rpc/scan_reactor.h"

#include <new>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "client/transport/convert_error.h"
#include "quire/mutex.h"
#include "server/base/activity.h"
#include "server/rpc/droppable.h"
#include "server/rpc/errors.h"
#include "server/rpc/scan_message.h"

namespace quire {
namespace {

// Keeps itself alive until OnDone; a page that comes later finds the call finished.
class ScanReactor final : public grpc::ServerWriteReactor<grpc::ByteBuffer> {
 public:
  explicit ScanReactor(grpc::CallbackServerContext* context) : context_(context) {}

  void Start(Service& service, absl::StatusOr<ScanRequest> request,
             std::shared_ptr<ScanReactor> self) noexcept {
    self_ = std::move(self);
    if (!request.ok()) return End(request.status());
    scan_.Set(service.Scan(*std::move(request)));
    AskForPage();
  }

  // gRPC swallows exceptions, and the stream would stand still: they end the program instead.
  void OnWriteDone(bool ok) noexcept override {
    {
      MutexLock lock(&mutex_);
      writing_ = false;
      gone_ = gone_ || !ok;
    }
    if (ok) AskForPage();
    EndIfGone();
  }

  void OnCancel() noexcept override {
    {
      MutexLock lock(&mutex_);
      gone_ = true;
    }
    EndIfGone();
  }

  void OnDone() noexcept override {
    scan_.Drop();
    const std::shared_ptr<ScanReactor> last = std::move(self_);
  }

 private:
  void AskForPage() {
    scan_.Use([this](ScanStream& scan) {
      scan.Next([self = self_](absl::StatusOr<ScanPage> page) { self->TakePage(std::move(page)); });
    });
  }

  void TakePage(absl::StatusOr<ScanPage> page) {
    if (!page.ok()) return End(page.status());
    MutexLock lock(&mutex_);
    if (finished_) return;
    const bool end = page->end;
    if (end && page->chunk.size() == 0) return FinishLocked(absl::OkStatus());
    try {
      const ActivityScope activity(Activity::kRpc);
      outgoing_ = ScanMessage(*std::move(page));
    } catch (const std::bad_alloc&) {
      return FinishLocked(rpc_errors::NoMemoryForAnswer());
    }
    if (end) {
      finished_ = true;
      return StartWriteAndFinish(&outgoing_, grpc::WriteOptions(), grpc::Status::OK);
    }
    writing_ = true;
    StartWrite(&outgoing_);
  }

  void End(const absl::Status& status) {
    MutexLock lock(&mutex_);
    if (!finished_) FinishLocked(status);
  }

  void EndIfGone() {
    {
      MutexLock lock(&mutex_);
      if (!gone_ || writing_) return;
      if (!finished_) FinishLocked(rpc_errors::CallerGone());
    }
    scan_.Drop();
  }

  void FinishLocked(const absl::Status& status) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    finished_ = true;
    Finish(ToGrpc(status, context_));
  }

  grpc::CallbackServerContext* const context_;
  std::shared_ptr<ScanReactor> self_;  // dropped in OnDone
  Droppable<ScanStream> scan_;

  Mutex mutex_;
  grpc::ByteBuffer outgoing_;  // belongs to the write under way
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool gone_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace

grpc::ServerWriteReactor<grpc::ByteBuffer>* StartScan(std::shared_ptr<Service> service,
                                                      grpc::CallbackServerContext* context,
                                                      absl::StatusOr<ScanRequest> request) {
  auto reactor = std::make_shared<ScanReactor>(context);
  reactor->Start(*service, std::move(request), reactor);
  return reactor.get();
}

}  // namespace quire
