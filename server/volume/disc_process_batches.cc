// Batches of the audit trail: sealed in the role, made durable by the committer, their replies run
// there or, while the next batch is being written, by the helper.

#include <algorithm>
#include <string>
#include <utility>

#include "server/base/check.h"
#include "server/volume/disc_process.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr uint64_t kLargeBatchBytes = uint64_t{8} << 20;
// Header of a record in the trail, and a structural-state record per changed file: generous.
constexpr uint64_t kTrailRecordOverheadBytes = 64;
constexpr uint64_t kFileStateBytes = 256;
// Store pages that only deletes may use, so that a full volume can be emptied (R-D8).
constexpr uint64_t kDeleteReserveBlocks = 256;
constexpr size_t kSpareBatches = 4;

}  // namespace

uint64_t DiscProcess::OpenBatchBytes() const {
  return open_records_->disc_bytes() + state_->cache->batch_bytes() +
         state_->cache->batch_blocks() * kTrailRecordOverheadBytes +
         open_files_.size() * kFileStateBytes;
}

bool DiscProcess::OpenBatchIsEmpty() const {
  return open_records_->empty() && open_files_.empty() && state_->cache->batch_blocks() == 0;
}

bool DiscProcess::OpenBatchIsLarge() const {
  return OpenBatchBytes() >= std::min(kLargeBatchBytes, state_->trail->max_batch_bytes() / 2);
}

absl::Status DiscProcess::EnsureRoom(const FileEntry& entry, uint32_t blocks, bool frees) {
  const CachedFile& file = entry.file.cached();
  const uint64_t more = blocks + (frees ? 0 : kDeleteReserveBlocks);
  absl::Status room = state_->store->EnsureRoom(
      state_->cache->dirty_blocks() + more, state_->cache->dirty_bytes() + more * file.image_bytes);
  if (!room.ok() || !file.write_through) return room;
  room = state_->trail->EnsureRoom(
      sealed_bytes_.load(std::memory_order_relaxed) + OpenBatchBytes() +
      blocks * (file.image_bytes + kTrailRecordOverheadBytes) + kFileStateBytes);
  // Segments come free with a control point.
  if (!room.ok()) control_point_asked_ = true;
  return room;
}

void DiscProcess::MaybeSeal() {
  if (OpenBatchIsEmpty()) return;
  if (sealed_count_.load(std::memory_order_acquire) == 0 || OpenBatchIsLarge()) Seal();
}

void DiscProcess::Seal() {
  state_->cache->TakeBatch([this](FileId file, BlockNumber block, absl::Span<const char> image) {
    open_records_->Add(TrailRecord{TrailRecordKind::kBlockImage, file, block,
                                   std::string_view(image.data(), image.size())});
  });
  for (const FileEntry* entry : std::exchange(open_files_, {})) {
    const std::string state = EncodeState(entry->label());
    open_records_->Add(TrailRecord{TrailRecordKind::kFileState, entry->id(), 0, state});
  }
  state_->last_lsn += open_records_->record_count();
  const uint64_t bytes = open_records_->disc_bytes();
  trail_bytes_since_cut_ += bytes;
  sealed_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  sealed_count_.fetch_add(1, std::memory_order_release);
  SealedBatch batch{open_number_++, state_->last_lsn, std::move(open_records_),
                    std::exchange(open_waiters_, {})};
  {
    MutexLock lock(&mutex_);
    if (!spare_records_.empty()) {
      open_records_ = std::move(spare_records_.back());
      spare_records_.pop_back();
    }
    sealed_.push_back(std::move(batch));
    committer_wakes_.Signal();
  }
  if (open_records_ == nullptr) open_records_ = std::make_unique<TrailBatch>();
}

void DiscProcess::CommitterLoop() {
  for (;;) {
    SealedBatch* batch = nullptr;
    {
      MutexLock lock(&mutex_);
      while (sealed_.empty() && !ending_) committer_wakes_.Wait(&mutex_);
      if (sealed_.empty()) return;
      batch = &sealed_.front();  // stays at its place while others are pushed behind it
    }
    if (Latched()) {
      RejectSealed();
      continue;
    }
    const uint64_t bytes = batch->records->disc_bytes();
    const absl::StatusOr<Lsn> lsn = state_->trail->Append(*batch->records);
    if (!lsn.ok()) {
      Latch(lsn.status());
      continue;
    }
    QUIRE_CHECK(*lsn == batch->last_lsn);
    sealed_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    FinishBatch();
  }
}

void DiscProcess::FinishBatch() {
  SealedBatch done;
  bool have_role = false;
  {
    MutexLock lock(&mutex_);
    done = std::move(sealed_.front());
    sealed_.pop_front();
    durable_batch_.store(done.number, std::memory_order_release);
    sealed_count_.fetch_sub(1, std::memory_order_release);
    progress_.SignalAll();
    if (busy_) {
      inbox_.batch_done = true;  // the holder seals the next one
    } else {
      busy_ = true;
      have_role = true;
    }
  }
  done.records->Clear();
  if (have_role) SealWhileIdle();
  std::vector<PendingReply> replies;
  replies.reserve(done.waiters.size());
  for (std::unique_ptr<Request>& request : done.waiters) {
    replies.push_back(PendingReply{std::move(request), absl::OkStatus(), /*executed=*/true});
  }
  {
    MutexLock lock(&mutex_);
    if (spare_records_.size() < kSpareBatches) spare_records_.push_back(std::move(done.records));
  }
  // The next write goes first: replies can run beside it.
  if (sealed_count_.load(std::memory_order_acquire) > 0) {
    ReplyLater(std::move(replies));
    return;
  }
  for (PendingReply& reply : replies) reply.request->Reply(reply.status, reply.executed);
}

void DiscProcess::SealWhileIdle() {
  if (!Latched()) MaybeSeal();
  const bool waiting = !parked_.empty();
  MutexLock lock(&mutex_);
  if (inbox_.empty() && !waiting) {
    busy_ = false;
    progress_.SignalAll();
    return;
  }
  inbox_.batch_done = true;
  HandRole();
}

void DiscProcess::RejectSealed() {
  std::deque<SealedBatch> rejected;
  {
    MutexLock lock(&mutex_);
    rejected.swap(sealed_);
    sealed_count_.store(0, std::memory_order_release);
  }
  const absl::Status unknown = volume_error::OutcomeUnknown(state_->options.name, LatchStatus());
  for (SealedBatch& batch : rejected) {
    for (std::unique_ptr<Request>& request : batch.waiters) {
      request->Reply(unknown, /*executed=*/true);
    }
  }
}

void DiscProcess::HelperLoop() {
  for (;;) {
    std::vector<PendingReply> replies;
    bool run_role = false;
    {
      MutexLock lock(&mutex_);
      while (replies_.empty() && !role_handed_ && !ending_) helper_wakes_.Wait(&mutex_);
      if (replies_.empty() && !role_handed_) return;
      replies.swap(replies_);
      run_role = std::exchange(role_handed_, false);
    }
    for (PendingReply& reply : replies) reply.request->Reply(reply.status, reply.executed);
    if (run_role) RunRole();
  }
}

void DiscProcess::ReplyLater(std::vector<PendingReply> replies) {
  if (replies.empty()) return;
  MutexLock lock(&mutex_);
  for (PendingReply& reply : replies) replies_.push_back(std::move(reply));
  helper_wakes_.Signal();
}

absl::Status DiscProcess::WaitDurable(uint64_t batch) {
  MutexLock lock(&mutex_);
  while (durable_batch_.load(std::memory_order_acquire) < batch && !Latched()) {
    progress_.Wait(&mutex_);
  }
  return Latched() ? latch_status_ : absl::OkStatus();
}

}  // namespace quire
