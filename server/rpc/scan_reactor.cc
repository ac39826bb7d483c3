#include "server/rpc/scan_reactor.h"

#include <memory>
#include <new>
#include <optional>
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
//
// While one page is being written the next is made: it waits in next_ for the end of the write, and
// none behind it is asked for. A reader that stops reading holds two pages of memory.
class ScanReactor final : public grpc::ServerWriteReactor<grpc::ByteBuffer>,
                          public std::enable_shared_from_this<ScanReactor> {
 public:
  explicit ScanReactor(grpc::CallbackServerContext* context) : context_(context) {}

  void Start(Service& service, absl::StatusOr<ScanRequest> request,
             std::shared_ptr<ScanReactor> self) noexcept {
    self_ = std::move(self);
    if (!request.ok()) return End(request.status());
    scan_.Set(service.Scan(*std::move(request)));
    AskForPages();
  }

  // gRPC swallows exceptions, and the stream would stand still: they end the program instead.
  void OnWriteDone(bool ok) noexcept override {
    {
      MutexLock lock(&mutex_);
      writing_ = false;
      gone_ = gone_ || !ok;
      if (!gone_ && !finished_ && next_) {
        absl::StatusOr<ScanPage> page = *std::move(next_);
        next_.reset();
        SendLocked(std::move(page));
      }
    }
    AskForPages();
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
  // Asks until a page is under way or waits to be written. One thread at a time: a service that
  // answers inside of Next does not come back here any deeper.
  void AskForPages() {
    while (BeginAsking()) {
      const bool there = scan_.Use([this](ScanStream& scan) {
        scan.Next([self = shared_from_this()](absl::StatusOr<ScanPage> page) {
          self->TakePage(std::move(page));
        });
      });
      MutexLock lock(&mutex_);
      asking_ = false;
      if (!there) return;  // dropped: the call has ended
    }
  }

  bool BeginAsking() {
    MutexLock lock(&mutex_);
    if (asking_ || asked_ || next_ || last_asked_ || gone_ || finished_) return false;
    asking_ = asked_ = true;
    return true;
  }

  void TakePage(absl::StatusOr<ScanPage> page) {
    {
      MutexLock lock(&mutex_);
      asked_ = false;
      last_asked_ = !page.ok() || page->end;
      if (finished_) return;
      if (writing_) {
        next_ = std::move(page);
        return;
      }
      SendLocked(std::move(page));
    }
    AskForPages();
  }

  void SendLocked(absl::StatusOr<ScanPage> page) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    if (!page.ok()) return FinishLocked(page.status());
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
  std::optional<absl::StatusOr<ScanPage>> next_ ABSL_GUARDED_BY(mutex_);  // behind the write
  bool asking_ ABSL_GUARDED_BY(mutex_) = false;      // a thread is in AskForPages
  bool asked_ ABSL_GUARDED_BY(mutex_) = false;       // a page is under way
  bool last_asked_ ABSL_GUARDED_BY(mutex_) = false;  // the last page, or the error, has come
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
