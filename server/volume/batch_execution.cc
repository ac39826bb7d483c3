#include "server/volume/batch_execution.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "quire/limits.h"
#include "server/volume/errors.h"
#include "server/volume/execute_operation.h"
#include "server/volume/reopened.h"

namespace quire {
namespace {

// Records beyond this find their room one by one.
constexpr size_t kRoomBytes = 1 << 20;

bool IsRead(OperationKind kind) {
  return kind == OperationKind::kRead || kind == OperationKind::kReadNext ||
         kind == OperationKind::kReadUpdate;
}

// Of a read: it was answered from the file.
bool HasLooked(const OperationResult& result) {
  if (result.status.ok()) return true;
  const ErrorNumber number = NumberOf(result.status);
  return number == ErrorNumber::kEndOfFile || number == ErrorNumber::kNotFound;
}

PartitionMark MarkOf(const VolumeState& state, const OpenEntry& open) {
  const uint32_t locks = state.locks.Held(open.id);
  if (open.lost.has_value()) return {open.lost->epoch, locks, open.lost->change_sequence};
  return {state.epoch, locks, open.buffered_change};
}

}  // namespace

bool BatchExecution::Run(VolumeState& state, DiscProcess& process, Request& request,
                         OpenEntry& open) {
  if (!std::exchange(begun_, true)) {
    if (absl::Status s = Begin(open); !s.ok()) EndWith(s);
  }
  if (progress_ != nullptr) progress_->waiting_sequence = 0;
  OperationContext context{state,
                           process,
                           request,
                           open,
                           batch_.lock_timeout_ms,
                           progress_ == nullptr || progress_->may_wait};
  if (saves_) context.repeater = AnswerKey(open);
  while (result_.results.size() < batch_.size()) {
    const size_t i = result_.results.size();
    const Operation operation = batch_[i];
    const uint64_t sequence = batch_.SequenceOf(i);
    const bool resumed = request.lock_wait.end != LockWaitEnd::kNone;
    std::optional<OperationResult> answer;
    if (!resumed) answer = Without(context, operation, sequence);
    if (!answer.has_value()) {
      answer.emplace();
      if (saves_) context.sequence = sequence;
      if (!ExecuteOperation(context, operation, &*answer, &result_.data)) {
        if (progress_ != nullptr) progress_->waiting_sequence = sequence;
        return false;
      }
      if (saves_) Save(process, open, operation, sequence, *answer);
      process.SealIfLarge();
    }
    if (i == 0) MakeRoom(*answer);
    stopped_ = stopped_ || (batch_.stop_on_error && !answer->status.ok());
    result_.results.push_back(*std::move(answer));
    if (progress_ != nullptr) progress_->executed_through = sequence;
  }
  Finish(state, process, request, open);
  return true;
}

// For the results of the whole batch, at the first one: the records of a file are about as long.
void BatchExecution::MakeRoom(const OperationResult& first) {
  result_.results.reserve(batch_.size());
  result_.data.reserve(std::min(first.length * batch_.size(), kRoomBytes));
}

absl::Status BatchExecution::Begin(OpenEntry& open) {
  result_.first_sequence = batch_.first_sequence;
  open.answers.AckThrough(batch_.acked_through);
  const bool numbered = batch_.first_sequence != 0;
  saves_ = numbered && KeepsAnswers(open);
  if (!batch_.position.has_value() || open.position == nullptr) return absl::OkStatus();
  const size_t length = batch_.position->key.size();
  const uint32_t key_length = open.entry->label().attributes.key_length;
  if (length > key_length) return volume_error::PositionOfOtherFile(length, key_length);
  open.position->Set(*batch_.position);
  return absl::OkStatus();
}

std::optional<OperationResult> BatchExecution::Without(const OperationContext& context,
                                                       const Operation& operation,
                                                       uint64_t sequence) {
  OpenEntry& open = context.open;
  OperationResult refused;
  if (stopped_) {
    refused.status = volume_error::NotExecuted();
    return refused;
  }
  const bool changes = Changes(operation.kind);
  if (saves_) {
    if (std::optional<SavedAnswer> saved = open.answers.Find(sequence)) {
      // The loss is told by it, should it have been noted again.
      if (NumberOf(saved->status) == ErrorNumber::kDataLoss) open.lost.reset();
      OperationResult repeated;
      repeated.status = std::move(saved->status);
      repeated.warning = saved->warning;
      repeated.offset = static_cast<uint32_t>(result_.data.size());
      repeated.length = static_cast<uint32_t>(saved->record.size());
      result_.data.append(saved->record);
      if (saved->position.has_value()) open.position->Set(*std::move(saved->position));
      return repeated;
    }
    if (changes && sequence <= open.answers.acked_through()) {
      refused.status = volume_error::SequenceTooOld(sequence, open.answers.acked_through());
      return refused;
    }
    // Executed before a change of this open that comes behind it, but not saved: what it would find
    // now is not what it found then.
    if (IsRead(operation.kind) && sequence < open.answers.last_change()) {
      if (UsesPosition(operation)) open.answers.NoteUnsavedRead(sequence);
      refused.status = volume_error::ReadNotKept();
      return refused;
    }
    // Repeated, a read that is not saved would give another record than the one this changed.
    const bool positioned = changes && UsesPosition(operation);
    if (positioned && open.answers.HasUnsavedRead()) {
      refused.status = volume_error::AnswersFull(kMaxSavedRecordBytes);
      return refused;
    }
  }
  if (open.lost.has_value()) {
    refused.status = CheckNothingLost(context.state, *std::exchange(open.lost, std::nullopt));
    if (saves_) {
      open.answers.Save(sequence,
                        SavedAnswer{refused.status, ErrorNumber::kOk, {}, std::nullopt, false});
    }
    return refused;
  }
  if (progress_ != nullptr && progress_->cancelled.erase(sequence) > 0) {
    refused.status = volume_error::Cancelled();
    if (saves_) Save(context.process, open, operation, sequence, refused);
    return refused;
  }
  return std::nullopt;
}

void BatchExecution::Save(DiscProcess& process, OpenEntry& open, const Operation& operation,
                          uint64_t sequence, const OperationResult& result) {
  const bool changes = Changes(operation.kind);
  const bool positioned = UsesPosition(operation);
  SavedAnswer answer;
  if (changes) {
    open.answers.NoteChange(sequence);
  } else {
    // What a read found, or that it found nothing, is what it must find again though changes behind
    // it were executed. Where nothing can be changed, and for what is no read or was refused, the
    // operation is simply done again.
    if (open.access == AccessMode::kRead || !IsRead(operation.kind) || !HasLooked(result)) return;
    if (open.answers.record_bytes() + result.length > kMaxSavedRecordBytes ||
        !CopyRecord(result, &answer.record)) {
      if (positioned) open.answers.NoteUnsavedRead(sequence);
      return;
    }
  }
  answer.status = result.status;
  answer.warning = result.warning;
  answer.change = changes;
  if (!changes && positioned) answer.position = open.position->value();
  open.answers.Save(sequence, std::move(answer));
  if (changes) process.LogAnswer(open, sequence, result.status.ok());
}

bool BatchExecution::CopyRecord(const OperationResult& result, std::string* copy) const {
  try {
    copy->assign(result_.data, result.offset, result.length);
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

void BatchExecution::Finish(VolumeState& state, DiscProcess& process, Request& request,
                            OpenEntry& open) {
  open.last_use_us = state.NowMicros();
  result_.epoch = state.epoch;
  result_.change_sequence = state.change_sequence;
  if (progress_ != nullptr && !IsStateOf(state, open, progress_->told)) {
    progress_->told = StateOf(state, open);
    result_.state = progress_->told;
  }
  // A refusal may rest on a change that is not durable yet, as a read may.
  process.WaitForFile(*open.entry, request);
}

void BatchExecution::EndWith(const absl::Status& status) {
  result_.first_sequence = batch_.first_sequence;
  while (result_.results.size() < batch_.size()) result_.results.push_back(OperationResult{status});
}

void BatchExecution::ReplaceBy(const absl::Status& status) {
  // Keeps the memory taken for the results: a reply must need none.
  std::vector<OperationResult> results = std::move(result_.results);
  results.clear();
  result_ = BatchResult();
  result_.results = std::move(results);
  EndWith(status);
}

bool IsStateOf(const VolumeState& state, const OpenEntry& open, const OpenState& told) {
  return told.lock_mode == open.lock_mode && told.partitions.size() == 1 &&
         told.partitions[0] == MarkOf(state, open) && told.position == open.position->value();
}

OpenState StateOf(const VolumeState& state, const OpenEntry& open) {
  OpenState now;
  now.position = open.position->value();
  now.lock_mode = open.lock_mode;
  now.partitions = {MarkOf(state, open)};
  return now;
}

}  // namespace quire
