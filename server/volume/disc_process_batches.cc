// Batches of the audit trail as the disc process fills and seals them. How they become durable:
// disc_process_commit.cc.

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "server/base/activity.h"
#include "server/volume/disc_process.h"
#include "server/volume/errors.h"

namespace quire {
namespace {

constexpr uint64_t kLargeBatchBytes = uint64_t{8} << 20;
// Headers of a batch and of a record with its padding, and a structural-state record per changed
// file: generous.
constexpr uint64_t kTrailRecordOverheadBytes = 96;
constexpr uint64_t kFileStateBytes = 256;
// Of an answer record, without the answers (answer_record.h); with that of its trail record.
constexpr uint64_t kAnswerRecordBytes = 32 + kTrailRecordOverheadBytes;
// Store pages that only deletes may use, so that a full volume can be emptied (R-D8).
constexpr uint64_t kDeleteReserveBlocks = 256;

}  // namespace

uint64_t DiscProcess::OpenBatchBytes() const {
  return open_records_->disc_bytes() + state_->cache->batch_bytes() +
         state_->cache->batch_blocks() * kTrailRecordOverheadBytes +
         open_files_.size() * kFileStateBytes + answer_bytes_;
}

bool DiscProcess::OpenBatchIsEmpty() const {
  return open_records_->empty() && open_files_.empty() && state_->cache->batch_blocks() == 0;
}

bool DiscProcess::OpenBatchIsLarge() const {
  return OpenBatchBytes() >= std::min(kLargeBatchBytes, state_->trail->max_batch_bytes() / 2);
}

void DiscProcess::AddToBatch(const TrailRecord& record) {
  const uint64_t bytes = record.payload.size() + kTrailRecordOverheadBytes + kTrailBlockBytes;
  if (!OpenBatchIsEmpty() && OpenBatchBytes() + bytes > state_->trail->max_batch_bytes()) Seal();
  open_records_->Add(record);
}

absl::Status DiscProcess::EnsureRoom(const FileEntry& entry, uint32_t blocks,
                                     const Operation& change) {
  const CachedFile& file = entry.file.cached();
  const bool frees = change.kind == OperationKind::kDelete;
  const uint64_t more = blocks + (frees ? 0 : kDeleteReserveBlocks);
  absl::Status room = state_->store->EnsureRoom(
      state_->cache->dirty_blocks() + more, state_->cache->dirty_bytes() + more * file.image_bytes);
  if (!room.ok() || !entry.durable()) return room;
  if (!file.write_through) redo_.reserve(RedoBytes(change));
  const uint64_t added =
      file.write_through ? blocks * (file.image_bytes + kTrailRecordOverheadBytes) + kFileStateBytes
                         : RedoBytes(change) + kTrailRecordOverheadBytes + kTrailBlockBytes;
  room = state_->trail->EnsureRoom(sealed_bytes_.load(std::memory_order_relaxed) +
                                   OpenBatchBytes() + added);
  if (NumberOf(room) == ErrorNumber::kNoDiscSpace) {
    control_point_asked_ = true;  // segments come free with a control point
  } else if (!room.ok()) {
    Latch(room);  // a segment could not be made or renamed
  } else {
    open_records_->Reserve(std::min(OpenBatchBytes() + added, state_->trail->max_batch_bytes()));
  }
  return room;
}

void DiscProcess::LogAnswer(OpenEntry& open, uint64_t sequence, bool executed) {
  if (!open.entry->durable()) return;
  if (executed && open.entry->label().attributes.audit) return;
  if (!open.answers.has_unlogged()) {
    answering_opens_.push_back(open.id);
    answer_bytes_ += kAnswerRecordBytes;
  }
  answer_bytes_ += open.answers.MarkUnlogged(sequence);
}

void DiscProcess::CountUnlogged() {
  answer_bytes_ = 0;
  std::erase_if(answering_opens_, [this](uint64_t id) {
    OpenEntry* const open = state_->opens.Find(id);
    if (open == nullptr) return true;
    const size_t bytes = open->answers.CountUnlogged();
    if (bytes > 0) answer_bytes_ += kAnswerRecordBytes + bytes;
    return bytes == 0;
  });
}

void DiscProcess::AddAnswers() {
  answer_bytes_ = 0;
  for (const uint64_t id : std::exchange(answering_opens_, {})) {
    OpenEntry* const open = state_->opens.Find(id);
    if (open == nullptr) continue;
    AnswerRecord record = open->answers.TakeUnlogged();
    // Altered to BUFFERED meanwhile: the control point of that covers them.
    if (!open->entry->durable() || (record.runs.empty() && record.others.empty())) continue;
    record.open = AnswerKey(*open);
    const std::string bytes = EncodeAnswers(record);
    open_records_->Add(TrailRecord{TrailRecordKind::kAnswers, open->entry->id(), 0, bytes});
  }
}

void DiscProcess::SealIfLarge() {
  if (!OpenBatchIsLarge()) return;
  // Refusals alone must not make batches of what nobody repeats any more.
  CountUnlogged();
  if (OpenBatchIsLarge()) Seal();
}

void DiscProcess::MaybeSeal() {
  if (OpenBatchIsEmpty()) return;
  if (sealed_count_.load(std::memory_order_acquire) == 0 || OpenBatchIsLarge()) Seal();
}

void DiscProcess::Seal() {
  try {
    SealOrThrow();
  } catch (const std::bad_alloc&) {
    // Its changes are executed. It stays open: a latched volume seals no more, and answers those
    // who wait for it.
    Latch(volume_error::OutOfMemoryInChange());
  }
}

void DiscProcess::SealOrThrow() {
  const ActivityScope activity(Activity::kTrail);
  state_->cache->TakeBatch([this](FileId file, BlockNumber block, absl::Span<const char> image) {
    open_records_->Add(TrailRecord{TrailRecordKind::kBlockImage, file, block,
                                   std::string_view(image.data(), image.size())});
    replay_since_cut_.AddImage(image.size());
  });
  for (const FileEntry* entry : std::exchange(open_files_, {})) {
    const std::string state = EncodeState(entry->label());
    open_records_->Add(TrailRecord{TrailRecordKind::kFileState, entry->id(), 0, state});
  }
  AddAnswers();
  auto following = std::make_unique<TrailBatch>();
  state_->last_lsn += open_records_->record_count();
  const uint64_t bytes = open_records_->disc_bytes();
  trail_bytes_since_cut_ += bytes;
  sealed_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  sealed_count_.fetch_add(1, std::memory_order_release);
  MutexLock lock(&mutex_);
  // Its place first: behind it nothing needs memory, so that no waiter is dropped.
  SealedBatch& batch = sealed_.emplace_back();
  if (!spare_records_.empty()) {
    following = std::move(spare_records_.back());
    spare_records_.pop_back();
  }
  batch.number = open_number_++;
  batch.last_lsn = state_->last_lsn;
  batch.records = std::exchange(open_records_, std::move(following));
  batch.waiters = std::move(open_waiters_);
  // Else whoever has the committer's role looks again, or the holder takes it.
  if (!committing_ && !leave_to_caller_) committer_wakes_.Signal();
}

}  // namespace quire
