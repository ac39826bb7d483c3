#include "client/filesystem/partitioned_open.h"

#include <algorithm>
#include <string>
#include <utility>

#include "client/filesystem/errors.h"
#include "quire/error.h"
#include "quire/limits.h"

namespace quire {
namespace {

constexpr std::string_view kNoReason = "it ended the open without a reason";

}  // namespace

PartitionedOpen::PartitionedOpen(std::shared_ptr<Routing> routing, OpenRequest request,
                                 std::shared_ptr<SessionEvents> events)
    : routing_(std::move(routing)), request_(std::move(request)), events_(std::move(events)) {}

// ---- Working -----------------------------------------------------------------------------------

void PartitionedOpen::Submit(OperationBatch batch) {
  Label label;
  {
    MutexLock lock(&mutex_);
    if (closing_ || detaching_ || ended_) return;
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
    if (closing_ || detaching_ || ended_) return;
    if (queue_->size() < credits_) {
      queue_->Push(std::move(planned));
    } else {
      closing_ = true;
      close_status_ = filesystem_errors::TooManyBatches(credits_);
    }
  }
  Work();
}

std::optional<absl::Status> PartitionedOpen::TryRead(std::string_view key, std::string* record) {
  Session* session = nullptr;  // stays until Abandon, which its user calls
  {
    MutexLock lock(&mutex_);
    if (closing_ || detaching_ || ended_ || !ready_ || queue_->size() > 0) return std::nullopt;
    const Partition& partition = partitions_[PartitionOfKey(label_->attributes, key)];
    if (partition.closed || !partition.down.ok()) return std::nullopt;
    session = partition.session.get();
  }
  return session == nullptr ? std::nullopt : session->TryRead(key, record);
}

void PartitionedOpen::Cancel(uint64_t sequence) {
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    if (!queue_) {
      if (early_cancels_.size() < kMaxBatchOperations) early_cancels_.push_back(sequence);
      return;
    }
    // By way of the sender, so that it cannot overtake its operation.
    if (const std::optional<uint32_t> partition = queue_->Cancel(sequence)) {
      cancels_.emplace_back(*partition, sequence);
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
  while (SendOne()) {
  }
}

bool PartitionedOpen::SendOne() {
  std::optional<BatchQueue::Outgoing> outgoing;
  std::shared_ptr<Session> session;
  std::vector<std::pair<std::shared_ptr<Session>, uint64_t>> cancels;
  {
    MutexLock lock(&mutex_);
    if (!ended_ && !detaching_) outgoing = queue_->NextToSend();
    if (!outgoing && (ended_ || cancels_.empty())) {
      sending_ = false;
      return false;
    }
    for (const auto& [partition, sequence] : cancels_) {
      if (partitions_[partition].session == nullptr) continue;
      cancels.emplace_back(partitions_[partition].session, sequence);
    }
    cancels_.clear();
    if (outgoing) {
      const Partition& partition = partitions_[outgoing->partition];
      session = partition.session;
      if (!partition.down.ok()) {
        queue_->AnswerAll(outgoing->partition, partition.down);
        outgoing.reset();
      }
    }
  }
  if (outgoing) session->Submit(std::move(outgoing->operations));
  for (const auto& [at, sequence] : cancels) at->Cancel(sequence);
  return true;
}

void PartitionedOpen::Deliver() {
  {
    MutexLock lock(&mutex_);
    if (delivering_ || !ready_) return;
    delivering_ = true;
  }
  while (DeliverOne()) {
  }
}

bool PartitionedOpen::DeliverOne() {
  std::optional<BatchResult> result;
  bool close = false;
  bool detach = false;
  absl::Status status;
  {
    MutexLock lock(&mutex_);
    if (!ended_) result = queue_->TakeFinished();
    if (!result) {
      detach = !ended_ && detaching_ && !close_sent_;
      close = !ended_ && !detach && closing_ && !close_sent_ && queue_->size() == 0;
      close_sent_ = close_sent_ || close || detach;
      if (!close && !detach && (ended_ || !close_sent_ || !AllClosed())) {
        delivering_ = false;
        return false;
      }
      if (!close && !detach) {
        ended_ = true;  // and no other thread delivers any more
        status = detaching_ ? filesystem_errors::ShuttingDown() : close_status_;
      }
    }
  }
  if (result) {
    events_->OnResults(*std::move(result));
  } else if (close || detach) {
    for (const std::shared_ptr<Session>& session : OpenSessions()) {
      close ? session->Close() : session->Detach();
    }
  } else {
    routing_->opens().Remove(request_.file.open_id, this);
    events_->OnClosed(status);
    return false;
  }
  return true;
}

void PartitionedOpen::OnResults(uint32_t partition, BatchResult result) {
  {
    MutexLock lock(&mutex_);
    if (!queue_ || ended_) return;
    queue_->Answer(partition, std::move(result));
  }
  Work();
}

// ---- Closing -----------------------------------------------------------------------------------

void PartitionedOpen::Close() {
  {
    MutexLock lock(&mutex_);
    closing_ = true;
  }
  Deliver();
}

void PartitionedOpen::Detach() {
  {
    MutexLock lock(&mutex_);
    detaching_ = true;
  }
  Deliver();
}

std::vector<std::shared_ptr<Session>> PartitionedOpen::OpenSessions() {
  std::vector<std::shared_ptr<Session>> sessions;
  MutexLock lock(&mutex_);
  for (const Partition& partition : partitions_) {
    if (!partition.closed && partition.session != nullptr) sessions.push_back(partition.session);
  }
  return sessions;
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
    if (detaching_) {
      // What has no result by now stays without one: it is for the resume.
    } else if (close_sent_) {
      close_status_.Update(status);
    } else {
      // A resuming session has answered everything that it was given before it ends.
      one.down =
          status.ok() ? filesystem_errors::OpenBroken(VolumeOf(partition), kNoReason) : status;
      if (queue_) queue_->AnswerAll(partition, one.down);
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
  routing_->opens().Remove(request_.file.open_id, this);
}

std::string PartitionedOpen::VolumeOf(uint32_t partition) const {
  return label_ == nullptr ? request_.file.name.volume : PartitionVolume(*label_, partition);
}

}  // namespace quire
