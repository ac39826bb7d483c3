#include "client/filesystem/unary_call.h"

#include <utility>

#include "client/filesystem/batch_plan.h"
#include "client/filesystem/batch_queue.h"
#include "client/filesystem/errors.h"
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
            self->Finish(label.status());
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
