#include <algorithm>
#include <string>
#include <utility>

#include "client/filesystem/errors.h"
#include "client/filesystem/partitioned_open.h"
#include "client/filesystem/resuming_session.h"
#include "client/filesystem/volume_set.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/text.h"

namespace quire {

// How a PartitionedOpen comes to stand, new or resumed.

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

}  // namespace

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
  if (request.resume) request.resume = ResumeOf(partition);
  // What goes on with the volume holds the routing, not the volume: it may let go of it on one of
  // the volume's threads, and only the routing's owner ends volumes.
  const std::shared_ptr<Service> held(routing_, volume->get());
  std::shared_ptr<Session> session = OpenResuming(
      held, std::move(request), std::make_shared<PartitionEvents>(weak_from_this(), partition),
      routing_->resume_policy());
  {
    MutexLock lock(&mutex_);
    if (!ended_) partitions_[partition].session.swap(session);
  }
  StepDone();  // for the session; another StepDone is for its report
}

OpenResume PartitionedOpen::ResumeOf(uint32_t partition) const {
  const OpenResume& whole = *request_.resume;
  OpenResume resume{OpenState{whole.state.position, whole.state.lock_mode, {}},
                    whole.acked_through};
  const std::vector<PartitionMark>& marks = whole.state.partitions;
  if (partition < marks.size()) resume.state.partitions = {marks[partition]};
  return resume;
}

bool PartitionedOpen::WasNotOpen(uint32_t partition) const {
  return request_.resume && request_.resume->state.partitions[partition].epoch == 0;
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
  if (request_.resume && request_.resume->state.partitions.size() != secondaries.size() + 1) {
    FailOpen(filesystem_errors::BadResumeToken());
    return;
  }
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
    if (WasNotOpen(address.partition)) {
      OnOpened(address.partition,
               filesystem_errors::VolumeDown(file.name.volume, "it was not open before"));
      StepDone();
      continue;
    }
    OpenPartition(address.partition, file);
  }
  StepDone();
}

void PartitionedOpen::AllOpened() {
  Opened opened;
  absl::Status failure;
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    failure = ResumeFailure();
  }
  if (!failure.ok()) {
    FailOpen(failure);
    return;
  }
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
    routing_->opens().Add(request_.file.open_id, this, std::move(down));
    queue_.emplace(label_->attributes, std::move(volumes), opened.state);
    for (OperationBatch& batch : early_) {
      queue_->Push(PlannedBatch(label_->attributes, std::move(batch)));
    }
    early_.clear();
    for (const uint64_t sequence : early_cancels_) queue_->Cancel(sequence);
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
  summary.state = StateAtOpen();
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
    summary.answers_kept = summary.answers_kept && opened.answers_kept;
  }
  return summary;
}

OpenState PartitionedOpen::StateAtOpen() const {
  if (partitions_.size() == 1) return (*partitions_[0].opened)->state;
  OpenState state;
  state.lock_mode = request_.lock_mode;
  if (request_.resume) {
    state.position = request_.resume->state.position;
    state.lock_mode = request_.resume->state.lock_mode;
  }
  for (const Partition& partition : partitions_) {
    PartitionMark& mark = state.partitions.emplace_back();
    if (!partition.opened->ok()) continue;
    const Opened& opened = **partition.opened;
    mark.epoch = opened.epoch;
    if (!opened.state.partitions.empty()) mark = opened.state.partitions[0];
  }
  return state;
}

absl::Status PartitionedOpen::ResumeFailure() const {
  if (!request_.resume) return absl::OkStatus();
  for (uint32_t i = 0; i < partitions_.size(); ++i) {
    const absl::Status status = partitions_[i].opened->status();
    if (!status.ok() && !WasNotOpen(i))
      return filesystem_errors::AsReadFailure(status, VolumeOf(i));
  }
  return absl::OkStatus();
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

}  // namespace quire
