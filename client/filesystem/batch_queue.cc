#include "client/filesystem/batch_queue.h"

#include <algorithm>
#include <utility>

#include "client/filesystem/batch_cut.h"
#include "client/filesystem/errors.h"
#include "quire/error.h"

namespace quire {

PlannedBatch::PlannedBatch(const FileAttributes& attributes, OperationBatch batch)
    : first_sequence(batch.first_sequence),
      sequence_offsets(batch.sequence_offsets),
      stop_on_error(batch.stop_on_error),
      operations(batch.size()) {
  if (!attributes.partitions.empty()) position = std::exchange(batch.position, std::nullopt);
  steps = PlanBatch(attributes, std::move(batch));
}

BatchQueue::BatchQueue(FileAttributes attributes, std::vector<std::string> volumes, OpenState state)
    : attributes_(std::move(attributes)),
      volumes_(std::move(volumes)),
      partitioned_(!attributes_.partitions.empty()),
      held_{state.position, state.lock_mode},
      told_(std::move(state)),
      sent_(volumes_.size()) {
  told_.partitions.resize(volumes_.size());
  marks_ = told_.partitions;
}

void BatchQueue::Push(PlannedBatch batch) {
  auto entry = std::make_unique<Entry>(std::move(batch));
  const std::vector<PlanStep>& steps = entry->batch.steps;
  entry->whole =
      steps.size() == 1 && steps[0].parts.size() == 1 && steps[0].parts[0].places.empty();
  if (!entry->whole) entry->places.resize(entry->batch.operations);
  entries_.push_back(std::move(entry));
}

// ---- Sending -----------------------------------------------------------------------------------

std::optional<BatchQueue::Outgoing> BatchQueue::NextToSend() {
  if (tour_) {
    if (!tour_->next) return std::nullopt;
    return SendTour();
  }
  while (!alone_ && next_entry_ < entries_.size()) {
    Entry& entry = *entries_[next_entry_];
    if (entry.AllSent()) {
      ++next_entry_;
      continue;
    }
    PlanStep& step = entry.batch.steps[entry.next_step];
    if (step.alone && in_flight_ > 0) return std::nullopt;
    if (entry.batch.position) {
      held_.position = *std::exchange(entry.batch.position, std::nullopt);
      entry.after = held_;
    }
    PlanPart& part = step.parts[entry.next_part];
    if (++entry.next_part == step.parts.size()) {
      ++entry.next_step;
      entry.next_part = 0;
    }
    if (part.operations.empty()) continue;  // all of it was cancelled
    if (step.kind == StepKind::kPosition && DoHere(entry, part)) continue;
    alone_ = step.alone;
    ++in_flight_;
    ++entry.outstanding;
    if (step.kind != StepKind::kByKey || step.walk.CrossesBorder()) {
      BeginTour(entry, step, part);
      return SendTour();
    }
    const Sent sent{&entry, &step, &part, part.operations.size()};
    return Send(sent, part.partition, std::move(part.operations));
  }
  return std::nullopt;
}

BatchQueue::Outgoing BatchQueue::Send(const Sent& sent, uint32_t partition,
                                      OperationBatch operations) {
  sent_[partition].push_back(sent);
  return Outgoing{partition, std::move(operations)};
}

void BatchQueue::BeginTour(Entry& entry, PlanStep& step, PlanPart& part) {
  if (step.kind == StepKind::kPosition) {
    part.operations.position = held_.position;
    step.walk = WalkOfPosition(attributes_, held_.position, part.operations[0].kind);
  } else if (step.kind == StepKind::kWholeFile) {
    step.walk = PartitionWalk{0, static_cast<uint32_t>(volumes_.size() - 1)};
  }
  tour_.emplace(Sent{&entry, &step, &part, 1});
  tour_->next = step.walk.first;
}

BatchQueue::Outgoing BatchQueue::SendTour() {
  const uint32_t partition = *std::exchange(tour_->next, std::nullopt);
  const OperationBatch& operations = tour_->at.part->operations;
  if (!tour_->taking_back) return Send(tour_->at, partition, operations);
  // Has no number: the operation taken back has it.
  Operation back;
  back.kind = OperationKind::kUnlockFile;
  back.lock = true;  // record locks given up for the file lock come back
  if (operations[0].kind == OperationKind::kSetLockMode) {
    back.kind = OperationKind::kSetLockMode;
    back.lock_mode = held_.lock_mode;
  }
  OperationBatch batch;
  batch.acked_through = operations.acked_through;
  batch.Add(back);
  return Send(tour_->at, partition, std::move(batch));
}

bool BatchQueue::DoHere(Entry& entry, PlanPart& part) {
  const Operation operation = part.operations[0];
  absl::StatusOr<Position> moved;
  BatchResult result = FailedResult(1, absl::OkStatus());
  switch (operation.kind) {
    case OperationKind::kSetPosition:
      moved = PositionFrom(operation, attributes_);
      break;
    case OperationKind::kRestorePosition:
      moved = DecodePosition(operation.key);
      if (moved.ok() && moved->key.size() > attributes_.key_length) {
        moved = filesystem_errors::PositionOfOtherFile(moved->key.size(), attributes_.key_length);
      }
      break;
    case OperationKind::kSavePosition:
      result.data = EncodePosition(held_.position);
      result.results[0].length = static_cast<uint32_t>(result.data.size());
      moved = held_.position;
      break;
    default:
      return false;
  }
  result.results[0].status = moved.status();
  if (moved.ok() && operation.kind != OperationKind::kSavePosition) {
    held_.position = *std::move(moved);
    entry.after = held_;
  }
  entry.stopped = entry.batch.stop_on_error && !result.results[0].status.ok();
  entry.places[part.places[0]] = Place{static_cast<uint32_t>(entry.answers.size()), 0};
  entry.answers.push_back(std::move(result));
  return true;
}

// ---- Answers -----------------------------------------------------------------------------------

void BatchQueue::Answer(uint32_t partition, BatchResult result) {
  if (sent_[partition].empty()) return;
  const Sent sent = sent_[partition].front();
  sent_[partition].pop_front();
  CompleteResult(&result, sent.operations, volumes_[partition]);
  Note(partition, result);
  if (tour_) {
    if (GoesOn(partition, result)) return;
    tour_.reset();
  }
  Finish(sent, std::move(result));
}

void BatchQueue::Note(uint32_t partition, const BatchResult& result) {
  if (!partitioned_ || !result.state || result.state->partitions.empty()) return;
  const PartitionMark& mark = result.state->partitions[0];
  if (mark == marks_[partition]) return;
  marks_[partition] = mark;
  told_is_stale_ = true;
}

bool BatchQueue::GoesOn(uint32_t partition, BatchResult& result) {
  const PlanStep& step = *tour_->at.step;
  if (step.kind == StepKind::kWholeFile) return WholeFileGoesOn(partition, result);
  const OperationResult& one = result.results[0];
  if (NumberOf(one.status) == ErrorNumber::kEndOfFile && partition != step.walk.last) {
    tour_->next = step.walk.After(partition);
    return true;
  }
  const bool read_on = step.kind == StepKind::kPosition && one.status.ok() &&
                       tour_->at.part->operations[0].kind == OperationKind::kReadNext;
  const std::string_view record = result.record(0);
  if (read_on && record.size() >= size_t{attributes_.key_offset} + attributes_.key_length) {
    MoveTo(record.substr(attributes_.key_offset, attributes_.key_length), &held_.position);
    tour_->at.entry->after = held_;
  }
  return false;
}

bool BatchQueue::WholeFileGoesOn(uint32_t partition, BatchResult& result) {
  const Operation operation = tour_->at.part->operations[0];
  const uint32_t last = tour_->at.step->walk.last;
  const absl::Status& status = result.results[0].status;
  const ErrorNumber number = NumberOf(status);
  if (tour_->taking_back) {
    if (partition < tour_->take_back_through) {
      tour_->next = partition + 1;
      return true;
    }
    result = *std::move(tour_->failure);
    return false;
  }
  // A partition that is not open holds no locks and has no mode; but it cannot be locked.
  const bool locks = operation.kind == OperationKind::kLockFile;
  const bool passed_over = number == ErrorNumber::kPartitionMissing && !locks;
  const bool failed = !status.ok() && !passed_over;
  if (failed && !tour_->failure) tour_->failure = result;
  if (failed && operation.kind != OperationKind::kUnlockFile) {
    // Where it may have been done it is taken back as well.
    const bool in_doubt = number == ErrorNumber::kPathDown || number == ErrorNumber::kVolumeDown;
    if (partition == 0 && !in_doubt) return false;
    tour_->taking_back = true;
    tour_->take_back_through = in_doubt ? partition : partition - 1;
    tour_->next = 0;
    return true;
  }
  if (partition < last) {
    tour_->next = partition + 1;
    return true;
  }
  if (tour_->failure) {
    result = *std::move(tour_->failure);
  } else {
    result = FailedResult(1, absl::OkStatus());
    if (operation.kind == OperationKind::kSetLockMode) {
      held_.lock_mode = operation.lock_mode;
      tour_->at.entry->after = held_;
    }
  }
  return false;
}

void BatchQueue::Finish(const Sent& sent, BatchResult result) {
  Entry& entry = *sent.entry;
  --in_flight_;
  --entry.outstanding;
  if (sent.step->alone) alone_ = false;
  if (entry.batch.stop_on_error) {
    entry.stopped = std::any_of(result.results.begin(), result.results.end(),
                                [](const OperationResult& one) { return !one.status.ok(); });
  }
  if (!entry.whole) {
    const uint32_t answer = static_cast<uint32_t>(entry.answers.size());
    for (uint32_t i = 0; i < sent.part->places.size(); ++i) {
      entry.places[sent.part->places[i]] = Place{answer, i};
    }
  }
  entry.answers.push_back(std::move(result));
}

void BatchQueue::AnswerAll(uint32_t partition, const absl::Status& status) {
  for (size_t left = sent_[partition].size(); left > 0; --left) {
    Answer(partition, FailedResult(sent_[partition].front().operations, status));
  }
}

std::optional<BatchResult> BatchQueue::TakeFinished() {
  if (entries_.empty()) return std::nullopt;
  Entry& entry = *entries_.front();
  if (!entry.AllSent() || entry.outstanding > 0) return std::nullopt;
  BatchResult result = entry.whole ? std::move(entry.answers[0]) : Merge(entry);
  result.first_sequence = entry.batch.first_sequence;
  if (partitioned_) {
    result.state.reset();
    if (entry.after || told_is_stale_) {
      if (entry.after) {
        told_.position = std::move(entry.after->position);
        told_.lock_mode = entry.after->lock_mode;
      }
      told_.partitions = marks_;
      told_is_stale_ = false;
      result.state = told_;
    }
  }
  entries_.pop_front();
  if (next_entry_ > 0) --next_entry_;
  return result;
}

BatchResult BatchQueue::Merge(Entry& entry) {
  BatchResult merged;
  merged.results.reserve(entry.places.size());
  for (const Place& place : entry.places) {
    OperationResult& out = merged.results.emplace_back();
    if (place.answer >= kCancelled) {
      out.status = place.answer == kCancelled ? filesystem_errors::Cancelled()
                                              : filesystem_errors::NotExecuted();
      continue;
    }
    BatchResult& answer = entry.answers[place.answer];
    const std::string_view record = answer.record(place.index);
    out = std::move(answer.results[place.index]);
    out.offset = static_cast<uint32_t>(merged.data.size());
    merged.data.append(record);
  }
  if (!partitioned_ && entry.answers.size() == 1) {
    merged.epoch = entry.answers[0].epoch;
    merged.change_sequence = entry.answers[0].change_sequence;
    merged.state = std::move(entry.answers[0].state);
  }
  return merged;
}

// ---- Cancel ------------------------------------------------------------------------------------

std::optional<uint32_t> BatchQueue::Cancel(uint64_t sequence) {
  for (const std::unique_ptr<Entry>& entry : entries_) {
    for (uint32_t place = 0; place < entry->batch.operations; ++place) {
      if (entry->batch.SequenceOf(place) == sequence) return CancelAt(*entry, place);
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> BatchQueue::CancelAt(Entry& entry, uint32_t place) {
  for (size_t s = 0; s < entry.batch.steps.size(); ++s) {
    std::vector<PlanPart>& parts = entry.batch.steps[s].parts;
    for (size_t p = 0; p < parts.size(); ++p) {
      const std::vector<uint32_t>& places = parts[p].places;
      const auto found = std::find(places.begin(), places.end(), place);
      if (found == places.end() && !(places.empty() && entry.whole)) continue;
      const bool sent = s < entry.next_step || (s == entry.next_step && p < entry.next_part);
      if (!sent && !entry.stopped) {
        CutOut(entry, parts[p], entry.whole ? place : static_cast<size_t>(found - places.begin()),
               place);
        return std::nullopt;
      }
      if (tour_ && tour_->at.part == &parts[p] && tour_->next) return *tour_->next;
      for (uint32_t partition = 0; partition < sent_.size(); ++partition) {
        for (const Sent& one : sent_[partition]) {
          if (one.part == &parts[p]) return partition;
        }
      }
    }
  }
  return std::nullopt;  // it has been answered
}

void BatchQueue::CutOut(Entry& entry, PlanPart& part, size_t index, uint32_t place) {
  if (entry.whole) {
    entry.whole = false;
    entry.places.resize(entry.batch.operations);
    for (uint32_t i = 0; i < entry.batch.operations; ++i) part.places.push_back(i);
  }
  part.places.erase(part.places.begin() + static_cast<std::ptrdiff_t>(index));
  part.operations = WithoutOperation(part.operations, index);
  entry.places[place] = Place{kCancelled, 0};
}

}  // namespace quire
