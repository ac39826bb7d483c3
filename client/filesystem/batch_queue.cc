#include "client/filesystem/batch_queue.h"

#include <algorithm>
#include <utility>

#include "client/filesystem/errors.h"
#include "quire/error.h"

namespace quire {

PlannedBatch::PlannedBatch(const FileAttributes& attributes, OperationBatch batch)
    : first_sequence(batch.first_sequence),
      stop_on_error(batch.stop_on_error),
      operations(batch.size()),
      steps(PlanBatch(attributes, std::move(batch))) {}

BatchQueue::BatchQueue(std::vector<std::string> volumes)
    : volumes_(std::move(volumes)), sent_(volumes_.size()) {}

void BatchQueue::Push(PlannedBatch batch) {
  auto entry = std::make_unique<Entry>(std::move(batch));
  const std::vector<PlanStep>& steps = entry->batch.steps;
  entry->whole =
      steps.size() == 1 && steps[0].parts.size() == 1 && steps[0].parts[0].places.empty();
  if (!entry->whole) entry->places.resize(entry->batch.operations);
  entries_.push_back(std::move(entry));
}

std::optional<BatchQueue::Outgoing> BatchQueue::NextToSend() {
  if (crossing_) {
    const Crossing next = *std::exchange(crossing_, std::nullopt);
    Entry& entry = *next.entry;
    PlanStep& step = entry.batch.steps[entry.next_step - 1];
    return Send(entry, step, step.parts[0], next.partition);
  }
  if (alone_) return std::nullopt;
  while (next_entry_ < entries_.size()) {
    Entry& entry = *entries_[next_entry_];
    if (entry.AllSent()) {
      ++next_entry_;
      continue;
    }
    PlanStep& step = entry.batch.steps[entry.next_step];
    if (step.alone && in_flight_ > 0) return std::nullopt;
    PlanPart& part = step.parts[entry.next_part];
    if (++entry.next_part == step.parts.size()) {
      ++entry.next_step;
      entry.next_part = 0;
    }
    alone_ = step.alone;
    ++in_flight_;
    ++entry.outstanding;
    return Send(entry, step, part, part.partition);
  }
  return std::nullopt;
}

BatchQueue::Outgoing BatchQueue::Send(Entry& entry, PlanStep& step, PlanPart& part,
                                      uint32_t partition) {
  Outgoing outgoing;
  outgoing.partition = partition;
  sent_[partition].push_back(Sent{&entry, &step, &part, part.operations.size()});
  if (step.walk.CrossesBorder()) {
    outgoing.operations = part.operations;  // may have to be sent once more
  } else {
    outgoing.operations = std::move(part.operations);
  }
  return outgoing;
}

bool BatchQueue::GoesOn(const Sent& sent, uint32_t partition, const BatchResult& result) {
  if (!sent.step->walk.CrossesBorder() || partition == sent.step->walk.last) return false;
  if (NumberOf(result.results[0].status) != ErrorNumber::kEndOfFile) return false;
  crossing_ = Crossing{sent.entry, sent.step->walk.After(partition)};
  return true;
}

void BatchQueue::Answer(uint32_t partition, BatchResult result) {
  if (sent_[partition].empty()) return;
  const Sent sent = sent_[partition].front();
  sent_[partition].pop_front();
  CompleteResult(&result, sent.operations, volumes_[partition]);
  if (GoesOn(sent, partition, result)) return;

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
  entries_.pop_front();
  if (next_entry_ > 0) --next_entry_;
  return result;
}

BatchResult BatchQueue::Merge(Entry& entry) {
  BatchResult merged;
  merged.results.reserve(entry.places.size());
  for (const Place& place : entry.places) {
    OperationResult& out = merged.results.emplace_back();
    if (place.answer == kNotExecuted) {
      out.status = filesystem_errors::NotExecuted();
      continue;
    }
    BatchResult& answer = entry.answers[place.answer];
    const std::string_view record = answer.record(place.index);
    out = std::move(answer.results[place.index]);
    out.offset = static_cast<uint32_t>(merged.data.size());
    merged.data.append(record);
  }
  return merged;
}

BatchResult FailedResult(size_t operations, const absl::Status& status) {
  BatchResult result;
  result.results.resize(operations);
  for (OperationResult& one : result.results) one.status = status;
  return result;
}

void CompleteResult(BatchResult* result, size_t operations, std::string_view from) {
  const size_t given = std::min(result->results.size(), operations);
  result->results.resize(operations);
  for (size_t i = 0; i < operations; ++i) {
    OperationResult& one = result->results[i];
    const bool within =
        one.offset <= result->data.size() && one.length <= result->data.size() - one.offset;
    if (i < given && within) continue;
    one = OperationResult{};
    one.status = filesystem_errors::ResultMissing(from);
  }
}

}  // namespace quire
