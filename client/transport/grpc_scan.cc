#include "client/transport/grpc_scan.h"

#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "client/transport/convert_error.h"
#include "client/transport/convert_record.h"
#include "client/transport/errors.h"
#include "quire/mutex.h"

namespace quire {
namespace {

class ScanReader final : public grpc::ClientReadReactor<v1::ScanResponse> {
 public:
  ScanReader(std::shared_ptr<v1::RecordService::Stub> stub,
             std::unique_ptr<grpc::ClientContext> context, std::string target)
      : stub_(std::move(stub)), context_(std::move(context)), target_(std::move(target)) {}

  void Start(const ScanRequest& request, std::shared_ptr<ScanReader> self) {
    self_ = std::move(self);
    ToProto(request, &request_);
    stub_->async()->Scan(context_.get(), &request_, this);
    // Held while a user's Next may start a read outside of the callbacks.
    AddHold();
    StartRead(&incoming_);
    StartCall();
  }

  void Next(Done<ScanPage> done) {
    std::optional<absl::StatusOr<ScanPage>> ready;
    {
      MutexLock lock(&mutex_);
      if (page_) {
        ready = std::move(page_);
        page_.reset();
        if (!ended_) StartRead(&incoming_);
      } else if (final_) {
        ready = *std::exchange(final_, transport_errors::ScanEnded());
      } else {
        waiting_ = std::move(done);
      }
    }
    if (ready) std::move(done)(*std::move(ready));
  }

  void Cancel() {
    context_->TryCancel();
    End();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return End();
    absl::StatusOr<ScanPage> page = FromProto(std::move(incoming_));
    const bool last = !page.ok() || page->end;
    if (!page.ok()) context_->TryCancel();
    Done<ScanPage> waiting;
    {
      MutexLock lock(&mutex_);
      if (last) final_ = transport_errors::ScanEnded();
      waiting = std::exchange(waiting_, nullptr);
      if (!waiting) page_ = std::move(page);
      if (waiting && !last && !ended_) StartRead(&incoming_);
    }
    if (waiting) std::move(waiting)(std::move(page));
    if (last) End();
  }

  void OnDone(const grpc::Status& status) override {
    Done<ScanPage> waiting;
    absl::StatusOr<ScanPage> outcome = ScanPage{.chunk = {}, .end = true};
    if (!status.ok()) outcome = FromGrpc(status, *context_, target_);
    {
      MutexLock lock(&mutex_);
      waiting = std::exchange(waiting_, nullptr);
      if (waiting) {
        if (final_) outcome = *std::move(final_);
        final_ = transport_errors::ScanEnded();
      } else if (!final_) {
        final_ = outcome;
      }
    }
    if (waiting) std::move(waiting)(std::move(outcome));
    const std::shared_ptr<ScanReader> last = std::move(self_);
  }

 private:
  void End() {
    bool release = false;
    {
      MutexLock lock(&mutex_);
      ended_ = true;
      release = std::exchange(holding_, false);
    }
    if (release) RemoveHold();
  }

  const std::shared_ptr<v1::RecordService::Stub> stub_;
  const std::unique_ptr<grpc::ClientContext> context_;
  const std::string target_;
  std::shared_ptr<ScanReader> self_;  // dropped in OnDone
  v1::ScanRequest request_;
  v1::ScanResponse incoming_;

  Mutex mutex_;
  std::optional<absl::StatusOr<ScanPage>> page_ ABSL_GUARDED_BY(mutex_);   // read ahead
  std::optional<absl::StatusOr<ScanPage>> final_ ABSL_GUARDED_BY(mutex_);  // answer after page_
  Done<ScanPage> waiting_ ABSL_GUARDED_BY(mutex_);  // the one Next that found nothing ready
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;      // no more reads are started
  bool holding_ ABSL_GUARDED_BY(mutex_) = true;
};

class GrpcScan final : public ScanStream {
 public:
  explicit GrpcScan(std::shared_ptr<ScanReader> reader) : reader_(std::move(reader)) {}
  GrpcScan(const GrpcScan&) = delete;
  GrpcScan& operator=(const GrpcScan&) = delete;
  ~GrpcScan() override { reader_->Cancel(); }

  void Next(Done<ScanPage> done) override { reader_->Next(std::move(done)); }

 private:
  const std::shared_ptr<ScanReader> reader_;
};

}  // namespace

std::unique_ptr<ScanStream> StartGrpcScan(std::shared_ptr<v1::RecordService::Stub> stub,
                                          std::unique_ptr<grpc::ClientContext> context,
                                          std::string target, const ScanRequest& request) {
  auto reader =
      std::make_shared<ScanReader>(std::move(stub), std::move(context), std::move(target));
  reader->Start(request, reader);
  return std::make_unique<GrpcScan>(std::move(reader));
}

}  // namespace quire
