#include "client/filesystem/unary_call.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "client/filesystem/batch_plan.h"
#include "client/filesystem/batch_queue.h"
#include "client/filesystem/errors.h"
#include "client/filesystem/resuming_session.h"
#include "quire/error.h"

namespace quire {
namespace {

class UnaryCall : public std::enable_shared_from_this<UnaryCall> {
 public:
  UnaryCall(std::shared_ptr<Routing> routing, UnaryRequest request, Done<BatchResult> done)
      : routing_(std::move(routing)), request_(std::move(request)), done_(std::move(done)) {}

  void Start() {
    routing_->FetchLabel(
        request_.file, [self = shared_from_this()](absl::StatusOr<Label> label) mutable {
          if (!label.ok()) {
            if (!self->TriesAgain(label.status())) self->Finish(label.status());
            return;
          }
          self->label_ = *std::move(label);
          self->walk_ = WalkOf(self->label_->attributes, self->request_.operation[0]);
          self->SendTo(self->walk_.first);
        });
  }

 private:
  void SendTo(uint32_t partition) {
    partition_ = partition;
    if (absl::Status s = routing_->opens().Check(request_.file.open_id, partition); !s.ok()) {
      Finish(s);
      return;
    }
    UnaryRequest request = request_;
    const PartitionAddress address = AddressOf(*label_, partition);
    request.file.name = address.file.name;
    request.file.create_id = address.file.create_id;
    absl::StatusOr<std::shared_ptr<Service>> volume =
        routing_->volumes().Find(request.file.name.volume);
    if (!volume.ok()) {
      Finish(volume.status());
      return;
    }
    (*volume)->Execute(std::move(request),
                       [self = shared_from_this()](absl::StatusOr<BatchResult> result) mutable {
                         self->OnAnswer(std::move(result));
                       });
  }

  void OnAnswer(absl::StatusOr<BatchResult> result) {
    const std::string& volume = PartitionVolume(*label_, partition_);
    if (result.ok()) CompleteResult(&*result, 1, volume);
    const absl::Status outcome = result.ok() ? result->results[0].status : result.status();
    if (TriesAgain(outcome)) return;
    if (!refetched_ && routing_->IsStale(outcome, label_)) {
      refetched_ = true;
      Start();
      return;
    }
    if (NumberOf(outcome) == ErrorNumber::kEndOfFile && partition_ != walk_.last) {
      SendTo(walk_.After(partition_));
      return;
    }
    if (!result.ok() && !request_.operation.changes()) {
      result = filesystem_errors::AsReadFailure(result.status(), volume);
    }
    Finish(std::move(result));
  }

  // Whether `outcome` may be better next time, and repeating does no harm; it is then arranged.
  bool TriesAgain(const absl::Status& outcome) {
    if (outcome.ok() || !IsConnectionLost(outcome)) return false;
    const bool numbered = request_.file.client_id != 0 && request_.operation.first_sequence != 0;
    const bool harmless =
        RetryOf(outcome) == Retry::kSafe || !request_.operation.changes() || numbered;
    if (!harmless) return false;
    const ResumePolicy& policy = routing_->resume_policy();
    const int64_t now = policy.timer->NowMicros();
    if (!lost_since_) lost_since_ = now;
    const int64_t pause = RetryPauseMicros(attempts_++);
    const int64_t limit = absl::ToInt64Microseconds(policy.retry_time);
    if (now + pause - *lost_since_ >= limit) return false;
    policy.timer->After(pause, [self = shared_from_this()] {
      self->label_ == nullptr ? self->Start() : self->SendTo(self->partition_);
    });
    return true;
  }

  void Finish(absl::StatusOr<BatchResult> result) {
    if (result.ok()) result->first_sequence = request_.operation.first_sequence;
    std::move(done_)(std::move(result));
  }

  const std::shared_ptr<Routing> routing_;
  const UnaryRequest request_;
  Done<BatchResult> done_;
  Label label_;
  PartitionWalk walk_;
  uint32_t partition_ = 0;
  bool refetched_ = false;
  std::optional<int64_t> lost_since_;  // the first answer that the connection was lost
  uint32_t attempts_ = 0;
};

}  // namespace

void ExecuteRouted(std::shared_ptr<Routing> routing, UnaryRequest request, Done<BatchResult> done) {
  if (request.operation.size() != 1) {
    std::move(done)(filesystem_errors::NotOneOperation(request.operation.size()));
    return;
  }
  std::make_shared<UnaryCall>(std::move(routing), std::move(request), std::move(done))->Start();
}

}  // namespace quire
