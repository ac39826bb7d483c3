#include "client/filesystem/partitioned_open.h"

#include <algorithm>
#include <string>
#include <utility>

#include "client/filesystem/errors.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {
namespace {

// Passes what one partition's session reports on to the open. Does not keep it alive: a service may
// hold events longer than their session, and the open holds the services.
class PartitionEvents : public SessionEvents {
 public:
  PartitionEvents(std::weak_ptr<PartitionedOpen> open, uint32_t partition)
      : open_(std::move(open)), partition_(partition) {}

  void OnOpened(absl::StatusOr<Opened> opened) override {
    if (auto open = open_.lock()) open->OnOpened(partition_, std::move(opened));
  }
  void OnResults(BatchResult result) override {
    if (auto open = open_.lock()) open->OnResults(partition_, std::move(result));
  }
  void OnClosed(absl::Status status) override {
    if (auto open = open_.lock()) open->OnClosed(partition_, std::move(status));
  }

 private:
  const std::weak_ptr<PartitionedOpen> open_;
  const uint32_t partition_;
};

constexpr std::string_view kNoReason = "it ended the open without a reason";

// What later operations on a partition get after its session ended by itself.
absl::Status AfterClose(const absl::Status& status, const std::string& volume) {
  const ErrorNumber number = NumberOf(status);
  if (status.ok() || number == ErrorNumber::kPathDown || number == ErrorNumber::kVolumeDown) {
    return filesystem_errors::OpenBroken(volume, status.ok() ? kNoReason : ToStd(status.message()));
  }
  return status;
}

}  // namespace

PartitionedOpen::PartitionedOpen(std::shared_ptr<Routing> routing, OpenRequest request,
                                 std::shared_ptr<SessionEvents> events)
    : routing_(std::move(routing)), request_(std::move(request)), events_(std::move(events)) {}

// ---- Opening --------------------------------------------------------------------------------

void PartitionedOpen::Start() {
  {
    MutexLock lock(&mutex_);
    partitions_.resize(1);
    steps_left_ = 2;
  }
  OpenPartition(0, request_.file);
}

void PartitionedOpen::OpenPartition(uint32_t partition, const FileReference& file) {
  absl::StatusOr<std::shared_ptr<Service>> volume = routing_->volumes().Find(file.name.volume);
  if (!volume.ok()) {
    OnOpened(partition, volume.status());
    StepDone();
    return;
  }
  OpenRequest request = request_;
  request.file = file;
  std::shared_ptr<Session> session = (*volume)->OpenSession(
      std::move(request), std::make_shared<PartitionEvents>(weak_from_this(), partition));
  {
    MutexLock lock(&mutex_);
    if (!ended_) partitions_[partition].session.swap(session);
  }
  StepDone();  // for the session; another StepDone is for its report
}

void PartitionedOpen::OnOpened(uint32_t partition, absl::StatusOr<Opened> opened) {
  {
    MutexLock lock(&mutex_);
    Partition& one = partitions_[partition];
    if (one.opened) return;
    if (!opened.ok()) {
      one.closed = true;
      if (partition > 0) {
        one.down = filesystem_errors::PartitionNotOpen(partition, VolumeOf(partition),
                                                       ToStd(opened.status().message()));
      }
    }
    one.opened = std::move(opened);
  }
  StepDone();
}

void PartitionedOpen::StepDone() {
  bool primary_phase = false;
  {
    MutexLock lock(&mutex_);
    if (--steps_left_ > 0) return;
    primary_phase = label_ == nullptr;
  }
  primary_phase ? PrimaryOpened() : AllOpened();
}

void PartitionedOpen::PrimaryOpened() {
  absl::Status failure;
  Label label;
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    const absl::StatusOr<Opened>& opened = *partitions_[0].opened;
    if (!opened.ok()) {
      failure = filesystem_errors::AsReadFailure(opened.status(), request_.file.name.volume);
    } else if (opened->info.partition != 0) {
      failure = filesystem_errors::SecondaryByName(opened->info.name, opened->info.primary_volume);
    } else {
      label = std::make_shared<const FileInfo>(opened->info);
    }
  }
  if (label == nullptr) {
    FailOpen(failure);
    return;
  }
  routing_->Confirm(std::move(label), [self = shared_from_this()](Label confirmed) {
    self->routing_->labels().Put(confirmed);
    self->OpenSecondaries(std::move(confirmed));
  });
}

void PartitionedOpen::OpenSecondaries(Label label) {
  const std::vector<PartitionAddress> secondaries = SecondaryAddresses(*label);
  {
    MutexLock lock(&mutex_);
    label_ = label;
    partitions_.resize(PartitionCount(label->attributes));
    steps_left_ = static_cast<uint32_t>(2 * secondaries.size() + 1);  // one for this call
  }
  for (const PartitionAddress& address : secondaries) {
    FileReference file = request_.file;
    file.name = address.file.name;
    file.create_id = address.file.create_id;
    OpenPartition(address.partition, file);
  }
  StepDone();
}

void PartitionedOpen::AllOpened() {
  Opened opened;
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    opened = Summary();
    credits_ = opened.credits;
    std::vector<absl::Status> down;
    std::vector<std::string> volumes;
    for (uint32_t i = 0; i < partitions_.size(); ++i) {
      down.push_back(partitions_[i].down);
      volumes.push_back(VolumeOf(i));
    }
    routing_->opens().Add(request_.file.open_id, std::move(down));
    queue_.emplace(std::move(volumes));
    for (OperationBatch& batch : early_) {
      queue_->Push(PlannedBatch(label_->attributes, std::move(batch)));
    }
    early_.clear();
  }
  events_->OnOpened(std::move(opened));
  {
    MutexLock lock(&mutex_);
    ready_ = true;
  }
  Work();
}

Opened PartitionedOpen::Summary() {
  Opened summary = **partitions_[0].opened;
  summary.open_id = request_.file.open_id;
  summary.info = *label_;
  for (const Partition& partition : partitions_) {
    if (!partition.down.ok()) summary.warning = ErrorNumber::kPartitionFailure;
    if (!partition.opened->ok()) continue;
    // A batch of the open is at most one batch, and no larger, at each volume.
    const Opened& opened = **partition.opened;
    summary.credits = std::min(summary.credits, opened.credits);
    summary.max_batch_bytes = std::min(summary.max_batch_bytes, opened.max_batch_bytes);
    summary.max_batch_operations =
        std::min(summary.max_batch_operations, opened.max_batch_operations);
    summary.lease_ms = std::min(summary.lease_ms, opened.lease_ms);
  }
  return summary;
}

void PartitionedOpen::FailOpen(const absl::Status& status) {
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    ended_ = true;
  }
  events_->OnOpened(status);
  events_->OnClosed(status);
}

// ---- Working --------------------------------------------------------------------------------

void PartitionedOpen::Submit(OperationBatch batch) {
  Label label;
  {
    MutexLock lock(&mutex_);
    if (closing_ || ended_) return;
    if (!queue_) {
      // Not known yet how many credits the volumes give: the limit of all.
      if (early_.size() < kSessionCredits) {
        early_.push_back(std::move(batch));
        return;
      }
      closing_ = true;
      close_status_ = filesystem_errors::TooManyBatches(kSessionCredits);
      return;
    }
    label = label_;
  }
  PlannedBatch planned(label->attributes, std::move(batch));
  {
    MutexLock lock(&mutex_);
    if (closing_ || ended_) return;
    if (queue_->size() < credits_) {
      queue_->Push(std::move(planned));
    } else {
      closing_ = true;
      close_status_ = filesystem_errors::TooManyBatches(credits_);
    }
  }
  Work();
}

void PartitionedOpen::Send() {
  {
    MutexLock lock(&mutex_);
    if (sending_ || !ready_) return;
    sending_ = true;
  }
  while (true) {
    std::optional<BatchQueue::Outgoing> outgoing;
    std::shared_ptr<Session> session;
    {
      MutexLock lock(&mutex_);
      if (!ended_) outgoing = queue_->NextToSend();
      if (!outgoing) {
        sending_ = false;
        return;
      }
      Partition& partition = partitions_[outgoing->partition];
      if (!partition.down.ok()) {
        queue_->AnswerAll(outgoing->partition, partition.down);
        continue;
      }
      outgoing->operations.first_sequence = partition.next_sequence;
      partition.next_sequence += outgoing->operations.size();
      session = partition.session;
    }
    session->Submit(std::move(outgoing->operations));
  }
}

void PartitionedOpen::Deliver() {
  {
    MutexLock lock(&mutex_);
    if (delivering_ || !ready_) return;
    delivering_ = true;
  }
  while (true) {
    std::optional<BatchResult> result;
    bool close = false;
    {
      MutexLock lock(&mutex_);
      if (!ended_) result = queue_->TakeFinished();
      if (!result) {
        close = !ended_ && closing_ && !close_sent_ && queue_->size() == 0;
        close_sent_ = close_sent_ || close;
        if (!close && (ended_ || !close_sent_ || !AllClosed())) {
          delivering_ = false;
          return;
        }
      }
    }
    if (result) {
      events_->OnResults(*std::move(result));
    } else if (close) {
      CloseSessions();
    } else {
      break;
    }
  }
  absl::Status status;
  {
    MutexLock lock(&mutex_);
    if (std::exchange(ended_, true)) return;
    status = close_status_;
  }
  routing_->opens().Remove(request_.file.open_id);
  events_->OnClosed(status);
}

void PartitionedOpen::OnResults(uint32_t partition, BatchResult result) {
  {
    MutexLock lock(&mutex_);
    if (!queue_ || ended_) return;
    queue_->Answer(partition, std::move(result));
  }
  Work();
}

// ---- Closing --------------------------------------------------------------------------------

void PartitionedOpen::Close() {
  {
    MutexLock lock(&mutex_);
    closing_ = true;
  }
  Deliver();
}

void PartitionedOpen::CloseSessions() {
  std::vector<std::shared_ptr<Session>> sessions;
  {
    MutexLock lock(&mutex_);
    for (const Partition& partition : partitions_) {
      if (!partition.closed && partition.session != nullptr) sessions.push_back(partition.session);
    }
  }
  for (const std::shared_ptr<Session>& session : sessions) session->Close();
}

void PartitionedOpen::OnClosed(uint32_t partition, absl::Status status) {
  bool opened = false;
  {
    MutexLock lock(&mutex_);
    opened = partitions_[partition].opened.has_value();
  }
  if (!opened) {
    // A session that ends without a word about its open did not open.
    OnOpened(partition,
             status.ok() ? filesystem_errors::VolumeDown("of the partition", kNoReason) : status);
    return;
  }
  {
    MutexLock lock(&mutex_);
    Partition& one = partitions_[partition];
    if (one.closed || ended_) return;
    one.closed = true;
    if (close_sent_) {
      close_status_.Update(status);
    } else {
      const std::string volume = VolumeOf(partition);
      one.down = AfterClose(status, volume);
      if (queue_) {
        queue_->AnswerAll(partition,
                          filesystem_errors::OutcomeUnknown(volume, ToStd(one.down.message())));
      }
    }
  }
  Work();
}

bool PartitionedOpen::AllClosed() const {
  return std::all_of(partitions_.begin(), partitions_.end(),
                     [](const Partition& partition) { return partition.closed; });
}

void PartitionedOpen::Abandon() {
  std::vector<std::shared_ptr<Session>> sessions;
  {
    MutexLock lock(&mutex_);
    ended_ = true;
    for (Partition& partition : partitions_) {
      if (partition.session != nullptr) sessions.push_back(std::move(partition.session));
    }
  }
  routing_->opens().Remove(request_.file.open_id);
}

std::string PartitionedOpen::VolumeOf(uint32_t partition) const {
  return label_ == nullptr ? request_.file.name.volume : PartitionVolume(*label_, partition);
}

}  // namespace quire
