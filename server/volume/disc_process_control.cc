// Control points as the disc process sees them: when, the cut, and what follows their end.

#include <algorithm>
#include <future>
#include <new>
#include <utility>

#include "server/base/activity.h"
#include "server/volume/answer_table.h"
#include "server/volume/disc_process.h"
#include "server/volume/errors.h"
#include "server/volume/open_lifetime.h"

namespace quire {
namespace {

// How often changes that outran a control point are tried again: long beside what a try costs,
// short beside what anyone notices.
constexpr int64_t kRetryMicros = 2000;

// Asks for a control point and tells whether nothing is left to do after it.
class QuietRequest : public Request {
 public:
  QuietRequest(std::function<bool()> quiet, std::promise<bool> answer)
      : quiet_(std::move(quiet)), answer_(std::move(answer)) {}

  // The answer is handed on: no exception could still be told.
  void Execute(VolumeState&, DiscProcess& process) noexcept override {
    asked_ = true;
    process.EndAllWaits();
    process.WantControlPoint([] {},
                             [quiet = std::move(quiet_), answer = std::move(answer_)](
                                 absl::StatusOr<ControlPointReport> report) mutable {
                               answer.set_value(!report.ok() || quiet());
                             });
  }
  void Reply(const absl::Status&, bool) override {
    if (!asked_) answer_.set_value(true);  // the volume is down: nothing more can be saved
  }

 private:
  std::function<bool()> quiet_;
  std::promise<bool> answer_;
  bool asked_ = false;
};

int64_t RecoveryTargetMicros(const VolumeOptions& options) {
  return int64_t{options.recovery_target_ms} * 1000;
}

}  // namespace

bool DiscProcess::AtDirtyLimit(bool bulk) const {
  return state_->cache->dirty_bytes() >= state_->options.dirty_limit_bytes ||
         state_->cache->dirty_blocks() >= kMaxDirtyBlocks || OutrunsControlPoint(bulk);
}

bool DiscProcess::OutrunsControlPoint(bool bulk) const {
  if (!flush_.has_value()) return false;
  const Dirty flush{flush_->bytes, flush_->blocks.size()};
  const Dirty dirty{state_->cache->dirty_bytes(), state_->cache->dirty_blocks()};
  const Dirty limits{state_->options.dirty_limit_bytes, kMaxDirtyBlocks};
  // The clock is looked at where it matters only.
  return pace_.Outrun(flush, dirty, limits, 0, bulk) &&
         pace_.Outrun(flush, dirty, limits, state_->options.clock->MonotonicMicros() - last_cut_us_,
                      bulk);
}

bool DiscProcess::WaitsForRoom(bool bulk) {
  // Room comes with time: one that waits keeps those behind it waiting until it is tried again, or
  // changes would be made in another order than they came in. Single ones may pass bulk ones.
  const bool behind = single_waits_for_room_ || (bulk && bulk_waits_for_room_);
  if (!behind && !AtDirtyLimit(bulk)) return false;
  (bulk ? bulk_waits_for_room_ : single_waits_for_room_) = true;
  return true;
}

void DiscProcess::RetryByTime() {
  MutexLock lock(&mutex_);
  if (retry_at_us_ != 0) return;
  retry_at_us_ = state_->options.clock->MonotonicMicros() + kRetryMicros;
  helper_wakes_.Signal();
}

bool DiscProcess::AtRecoveryTarget() const {
  return flush_.has_value() && replay_before_cut_.micros() + replay_since_cut_.micros() >=
                                   RecoveryTargetMicros(state_->options);
}

void DiscProcess::WantControlPoint(absl::AnyInvocable<void() &&> at_cut, AfterControlPoint done) {
  wanted_.push_back(WantedControlPoint{std::move(at_cut), std::move(done)});
}

bool DiscProcess::Quiet() const {
  return parked_.empty() && waiting_.empty() && wanted_.empty() && OpenBatchIsEmpty() &&
         state_->cache->dirty_blocks() == 0;
}

void DiscProcess::OnTick() {
  const int64_t now = state_->options.clock->MonotonicMicros();
  const int64_t interval = int64_t{state_->options.control_point_interval_ms} * 1000;
  const bool purging = !state_->catalog->tombstones().empty();
  if ((buffered_changes_ || purging) && now - last_cut_us_ >= interval) control_point_asked_ = true;
  EndLeases(*state_);
  EndTimedOutWaits();
}

void DiscProcess::MaybeStartControlPoint() {
  if (flush_.has_value() || closed_) return;
  const VolumeOptions& options = state_->options;
  const bool dirty = state_->cache->dirty_bytes() >= pace_.bytes() ||
                     state_->cache->dirty_blocks() >= kMaxDirtyBlocks / 2;
  const bool trail_full = trail_bytes_since_cut_ >= options.trail_limit_bytes ||
                          replay_since_cut_.micros() >= RecoveryTargetMicros(options) / 2;
  if (!wanted_.empty()) {
    StartControlPoint();
  } else if ((dirty || trail_full || control_point_asked_) &&
             options.clock->MonotonicMicros() >= retry_after_us_) {
    StartControlPoint();
  }
}

void DiscProcess::StartControlPoint() {
  const ActivityScope activity(Activity::kStore);
  if (!OpenBatchIsEmpty()) Seal();
  if (Latched()) return;
  under_way_.reserve(under_way_.size() + wanted_.size());
  for (WantedControlPoint& wanted : std::exchange(wanted_, {})) {
    under_way_.push_back(std::move(wanted.done));
    std::move(wanted.at_cut)();
  }
  control_point_asked_ = false;
  buffered_changes_ = false;
  trail_bytes_since_cut_ = 0;
  replay_before_cut_ = std::exchange(replay_since_cut_, {});
  last_cut_us_ = state_->options.clock->MonotonicMicros();
  try {
    flush_ = state_->cache->BeginFlush();
    writer_->Submit(CutJob());
  } catch (const std::bad_alloc&) {
    flush_.reset();  // no end of it will come; under_way_ is answered by the latch
    Latch(volume_error::OutOfMemoryInChange());
  }
}

ControlPointJob DiscProcess::CutJob() {
  ControlPointJob job;
  job.cut_us = last_cut_us_;
  job.cut_batch = open_number_ - 1;
  job.meta = ControlPointMeta{state_->last_lsn, state_->epoch, state_->catalog->next_file_id,
                              state_->change_sequence};
  job.content.blocks = flush_->blocks;
  job.content.meta[meta_key::kControlPoint] = EncodeControlPointMeta(job.meta);
  job.content.meta[meta_key::kSavedAnswers] =
      EncodeAnswerTable(state_->opens, state_->recovered_answers);
  flushed_labels_.clear();
  for (const auto& [id, entry] : state_->catalog->by_id()) {
    if (!std::exchange(entry->file.label_changed, false)) continue;
    job.content.labels[id] = EncodeLabel(entry->label());
    flushed_labels_.push_back(id);
  }
  forgotten_ = std::exchange(emptied_, {});
  job.content.erased_labels = forgotten_;
  for (const auto& [id, label] : state_->catalog->tombstones()) {
    if (std::find(forgotten_.begin(), forgotten_.end(), id) != forgotten_.end()) continue;
    job.content.labels[id] = EncodeLabel(label);
    job.content.purge_slices.emplace_back(id, kPurgeSliceBlocks);
  }
  return job;
}

void DiscProcess::FinishControlPoint(ControlPointResult result) {
  const ActivityScope activity(Activity::kStore);
  absl::Status status = result.commit.status();
  if (status.ok()) status = state_->store->RenewSnapshot();
  const uint64_t flushed_bytes = flush_->bytes;
  state_->cache->EndFlush(*std::exchange(flush_, std::nullopt), status.ok());
  for (FileId id : flushed_labels_) {
    FileEntry* const entry = state_->catalog->FindId(id);
    if (entry == nullptr) continue;
    if (status.ok()) {
      entry->file.tree().LabelStored();
    } else {
      entry->file.label_changed = true;
    }
  }
  if (status.ok()) {
    pace_.Note(flushed_bytes, result.micros);
    state_->snapshot_renewed_us = state_->options.clock->MonotonicMicros();
    state_->trail->Release(result.meta.lsn);
    if (state_->cache->dirty_blocks() == 0) state_->store->ReleaseRoom();
    covered_changes_ = result.meta.change_sequence;
    for (FileId id : std::exchange(forgotten_, {})) state_->catalog->Forget(id);
    emptied_ = result.commit->purged_whole;
    state_->disc.Add(Counter::kControlPoints);
    state_->disc.Add(Counter::kControlPointWrites, static_cast<int64_t>(result.blocks));
    state_->disc.Add(Counter::kControlPointTime, result.micros);
  } else {
    replay_since_cut_.Add(replay_before_cut_);
    emptied_ = std::exchange(forgotten_, {});
    buffered_changes_ = true;
    retry_after_us_ = state_->options.clock->MonotonicMicros() +
                      int64_t{state_->options.control_point_interval_ms} * 1000;
    // Want of room can pass; everything else stops the volume and is never retried (R-D8).
    if (NumberOf(status) != ErrorNumber::kNoDiscSpace) Latch(status);
  }
  for (AfterControlPoint& done : std::exchange(under_way_, {})) {
    if (status.ok()) {
      std::move(done)(ControlPointReport{result.blocks, result.meta.change_sequence});
    } else {
      std::move(done)(status);
    }
  }
}

void DiscProcess::Stop() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  const auto quiet_now = [this] {
    closed_ = Quiet();
    return closed_;
  };
  for (bool quiet = false; !quiet;) {
    std::promise<bool> answer;
    std::future<bool> answered = answer.get_future();
    Enqueue(std::make_unique<QuietRequest>(quiet_now, std::move(answer)));
    quiet = answered.get();
  }
  EndThreads();
}

}  // namespace quire
