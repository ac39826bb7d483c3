#include "server/trail/trail.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "quire/error.h"
#include "quire/limits.h"
#include "quire/mutex.h"
#include "server/base/check.h"
#include "server/base/clock.h"
#include "server/trail/errors.h"
#include "server/trail/segment_pool.h"
#include "server/trail/trail_format.h"
#include "server/trail/trail_replay.h"

namespace quire {
namespace {

static_assert(kTrailSegmentBytes >= kMinSegmentBytes && kTrailSegmentBytes <= kMaxSegmentBytes);

class DiscTrail : public Trail {
 public:
  DiscTrail(std::unique_ptr<TrailDevice> device, const TrailOptions& options,
            uint64_t segment_bytes, std::unique_ptr<TrailArchive> archive)
      : device_(std::move(device)),
        volume_id_(options.volume_id),
        clock_(options.clock),
        segment_bytes_(segment_bytes),
        max_batch_bytes_(segment_bytes / 2 / kTrailBlockBytes * kTrailBlockBytes),
        archives_(archive != nullptr),
        pool_(device_.get(), segment_bytes, max_batch_bytes_,
              {std::move(archive), options.report_archive_failure}) {}

  absl::StatusOr<Lsn> Replay(Lsn from, ReplayBatch batch) override;
  absl::Status Start(Lsn last_lsn, uint64_t epoch) override;
  uint64_t max_batch_bytes() const override { return max_batch_bytes_; }
  absl::Status EnsureRoom(uint64_t bytes) override { return pool_.AwaitRoom(bytes); }
  absl::StatusOr<Lsn> Append(TrailBatch& batch) override;
  void Release(Lsn lsn) override { pool_.Release(lsn); }
  std::unique_ptr<TrailHold> Hold() override { return std::make_unique<PoolHold>(&pool_); }
  std::vector<TrailPart> DurableParts() const override;
  absl::Status ReadPart(uint64_t segment, uint64_t offset, absl::Span<char> to) override {
    return device_->Read(segment, offset, to);
  }
  TrailStatistics Statistics() const override;

 private:
  class PoolHold : public TrailHold {
   public:
    explicit PoolHold(SegmentPool* pool) : pool_(pool) { pool_->Hold(); }
    ~PoolHold() override { pool_->EndHold(); }

   private:
    SegmentPool* const pool_;
  };

  // The segment being written. Committer only, but for has_current_.
  struct Current {
    uint64_t number = 0;
    uint64_t bytes = 0;
    uint64_t offset = 0;
    Lsn last_lsn = 0;
    uint64_t left_bytes() const { return bytes - offset; }
  };

  SegmentPool::Found Classify() const;
  void MakeCurrent(uint64_t number) ABSL_EXCLUSIVE_LOCKS_REQUIRED(parts_mutex_);
  // Makes the next segment the current one.
  absl::Status TakeNext();
  absl::StatusOr<Lsn> TryAppend(TrailBatch& batch);
  absl::Status Write(TrailBatch& batch, const Current& target);

  const std::unique_ptr<TrailDevice> device_;
  const uint64_t volume_id_;
  Clock* const clock_;
  const uint64_t segment_bytes_;
  const uint64_t max_batch_bytes_;
  const bool archives_;

  std::optional<TrailContent> content_;  // between Replay and Start
  Lsn replayed_from_ = 0;
  bool started_ = false;

  uint64_t epoch_ = 0;
  Lsn last_lsn_ = 0;
  int64_t last_time_us_ = 0;  // of the last batch
  std::optional<Current> current_;
  absl::Status failure_;

  // Whoever copies sees each segment once: as the current one or as a live one of the pool.
  mutable Mutex parts_mutex_;
  std::optional<TrailPart> current_part_ ABSL_GUARDED_BY(parts_mutex_);

  std::atomic<bool> has_current_ = false;
  std::atomic<int64_t> batches_ = 0;
  std::atomic<int64_t> written_bytes_ = 0;
  std::atomic<int64_t> syncs_ = 0;
  std::atomic<int64_t> sync_micros_ = 0;

  SegmentPool pool_;  // last: its thread ends before anything else goes
};

absl::StatusOr<Lsn> DiscTrail::Replay(Lsn from, ReplayBatch batch) {
  QUIRE_CHECK(!started_);
  absl::StatusOr<TrailContent> content = ReplayTrail(*device_, volume_id_, from, batch);
  if (!content.ok()) return content.status();
  content_ = *std::move(content);
  replayed_from_ = from;
  return content_->last_lsn;
}

// No segment that holds batches is continued. Behind its last one may stand a torn write, which
// lacks a single sector of zeros perhaps; a new write there, torn in its turn, could supply it, and
// a batch that nobody was told of would come to life. Segments without batches get new numbers for
// the same reason.
SegmentPool::Found DiscTrail::Classify() const {
  SegmentPool::Found found;
  for (const SegmentContent& segment : content_->segments) {
    found.highest_number = std::max(found.highest_number, segment.number);
    const SegmentPool::Live known{segment.number, segment.bytes, segment.last_lsn,
                                  segment.used_bytes > 0 ? segment.used_bytes : segment.bytes};
    if (segment.last_lsn > replayed_from_) {
      found.live.push_back(known);
    } else if (archives_ && segment.last_lsn > 0) {
      found.released.push_back(known);
    } else {
      (segment.bytes == segment_bytes_ ? found.free : found.useless).push_back(segment.number);
    }
  }
  return found;
}

absl::Status DiscTrail::Start(Lsn last_lsn, uint64_t epoch) {
  QUIRE_CHECK(!started_);
  QUIRE_CHECK(content_.has_value());
  QUIRE_CHECK(last_lsn >= content_->last_lsn);
  if (epoch <= content_->epoch) return trail_error::EpochNotAbove(epoch, content_->epoch);
  epoch_ = epoch;
  last_lsn_ = last_lsn;
  last_time_us_ = content_->last_time_us;
  started_ = true;
  const absl::StatusOr<uint64_t> number = pool_.Start(Classify());
  content_.reset();
  if (number.ok()) {
    const MutexLock lock(&parts_mutex_);
    MakeCurrent(*number);
  }
  return NumberOf(number.status()) == ErrorNumber::kNoDiscSpace ? absl::OkStatus()
                                                                : number.status();
}

void DiscTrail::MakeCurrent(uint64_t number) {
  current_ = {.number = number, .bytes = segment_bytes_};
  current_part_ = TrailPart{number, 0, 0};
  has_current_ = true;
}

absl::Status DiscTrail::Write(TrailBatch& batch, const Current& target) {
  // A restore up to a time stops at the first batch beyond it: a clock set back must not show.
  last_time_us_ = std::max(last_time_us_, clock_->WallMicros());
  const absl::Span<const char> bytes = batch.Finish({.volume_id = volume_id_,
                                                     .epoch = epoch_,
                                                     .segment = target.number,
                                                     .offset = target.offset,
                                                     .first_lsn = last_lsn_ + 1,
                                                     .time_us = last_time_us_});
  const int64_t start_micros = Clock::Real()->MonotonicMicros();
  absl::Status status = device_->WriteDurably(target.number, target.offset, bytes);
  sync_micros_ += Clock::Real()->MonotonicMicros() - start_micros;
  ++syncs_;
  if (!status.ok()) return status;
  ++batches_;
  written_bytes_ += static_cast<int64_t>(bytes.size());
  return absl::OkStatus();
}

absl::Status DiscTrail::TakeNext() {
  const absl::StatusOr<uint64_t> number = pool_.Take(current_ ? current_->left_bytes() : 0);
  if (!number.ok()) return number.status();
  const MutexLock lock(&parts_mutex_);
  if (current_) {
    pool_.Retire({current_->number, current_->bytes, current_->last_lsn, current_->offset});
  }
  MakeCurrent(*number);
  return absl::OkStatus();
}

absl::StatusOr<Lsn> DiscTrail::TryAppend(TrailBatch& batch) {
  const uint64_t bytes = batch.disc_bytes();
  if (bytes > max_batch_bytes_) return trail_error::BatchTooLong(bytes, max_batch_bytes_);
  if (!current_ || bytes > current_->left_bytes()) {
    if (absl::Status status = TakeNext(); !status.ok()) return status;
  }
  if (absl::Status status = Write(batch, *current_); !status.ok()) return status;
  last_lsn_ += batch.record_count();
  current_->offset += bytes;
  current_->last_lsn = last_lsn_;
  {
    const MutexLock lock(&parts_mutex_);
    current_part_ = TrailPart{current_->number, current_->offset, last_lsn_};
  }
  pool_.Use(bytes);
  return last_lsn_;
}

absl::StatusOr<Lsn> DiscTrail::Append(TrailBatch& batch) {
  QUIRE_CHECK(started_);
  QUIRE_CHECK(!batch.empty());
  if (!failure_.ok()) return failure_;
  absl::StatusOr<Lsn> lsn = TryAppend(batch);
  if (!lsn.ok()) failure_ = lsn.status();
  return lsn;
}

std::vector<TrailPart> DiscTrail::DurableParts() const {
  const MutexLock lock(&parts_mutex_);
  std::vector<TrailPart> parts;
  for (const SegmentPool::Live& live : pool_.LiveSegments()) {
    parts.push_back({live.number, live.used_bytes, live.last_lsn});
  }
  if (current_part_ && current_part_->bytes > 0) parts.push_back(*current_part_);
  return parts;
}

TrailStatistics DiscTrail::Statistics() const {
  return {.batches = batches_,
          .written_bytes = written_bytes_,
          .syncs = syncs_,
          .sync_micros = sync_micros_,
          .segments = pool_.segment_count() + (has_current_ ? 1 : 0)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Trail>> Trail::Open(std::unique_ptr<TrailDevice> device,
                                                   const TrailOptions& options) {
  const uint64_t segment_bytes =
      options.segment_bytes == 0 ? kTrailSegmentBytes : options.segment_bytes;
  if (segment_bytes < kMinSegmentBytes || segment_bytes > kMaxSegmentBytes ||
      segment_bytes % kTrailBlockBytes != 0) {
    return trail_error::BadSegmentBytes(segment_bytes);
  }
  std::unique_ptr<TrailArchive> archive;
  if (!options.archive_directory.empty()) {
    absl::StatusOr<std::unique_ptr<TrailArchive>> opened =
        TrailArchive::Open(options.archive_directory, options.volume_id);
    if (!opened.ok()) return opened.status();
    archive = *std::move(opened);
  }
  return std::make_unique<DiscTrail>(std::move(device), options, segment_bytes, std::move(archive));
}

}  // namespace quire
