#include "client/filesystem/resend_queue.h"

#include <algorithm>
#include <utility>

#include "client/filesystem/batch_cut.h"
#include "client/filesystem/batch_queue.h"
#include "client/filesystem/errors.h"

namespace quire {
namespace {

// Its answer depends on what stands at the position.
bool ReadsAtPosition(const Operation& operation) {
  return operation.kind == OperationKind::kReadNext ||
         operation.kind == OperationKind::kReadUpdate ||
         (operation.kind == OperationKind::kLockRecord && operation.key.empty());
}

}  // namespace

void ResendQueue::Push(OperationBatch batch) {
  Entry& entry = entries_.emplace_back();
  entry.first_sequence = batch.first_sequence;
  entry.operations = batch.size();
  entry.changes = batch.changes();
  for (size_t i = 0; i < batch.size() && !entry.changes && !entry.reads_on; ++i) {
    entry.reads_on = ReadsAtPosition(batch[i]);
  }
  entry.batch = std::move(batch);
}

std::optional<ResendQueue::Outgoing> ResendQueue::NextToSend(uint32_t credits) {
  if (on_stream_ >= credits) return std::nullopt;
  // Those on the stream come first; behind a break also answered ones may lie between.
  const auto next = std::find_if(
      entries_.begin() + static_cast<std::ptrdiff_t>(std::min(on_stream_, entries_.size())),
      entries_.end(), [](const Entry& entry) { return !entry.on_stream && !entry.answer; });
  if (next == entries_.end() || (repeats_ && next->changes && reads_on_ > 0)) return std::nullopt;
  Outgoing outgoing;
  next->sent = next->on_stream = true;
  ++on_stream_;
  reads_on_ += next->reads_on ? 1 : 0;
  outgoing.cancels = next->cancels;
  if (repeats_) {
    outgoing.batch = next->batch;
  } else {
    outgoing.batch = std::move(next->batch);
  }
  return outgoing;
}

void ResendQueue::Answer(BatchResult result) {
  const auto oldest = std::find_if(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.on_stream && !entry.answer;
  });
  if (oldest == entries_.end()) return;
  if (oldest->cut) {
    CompleteResult(&result, oldest->places.size(), where_);
    result = RestoreCut(std::move(result), oldest->places, oldest->operations);
  }
  Finish(*oldest, std::move(result));
}

void ResendQueue::Finish(Entry& entry, BatchResult result) {
  result.first_sequence = entry.first_sequence;
  entry.answer = std::move(result);
  entry.batch.Clear();
  ++answered_;
  LeaveStream(entry);
}

void ResendQueue::LeaveStream(Entry& entry) {
  if (!std::exchange(entry.on_stream, false)) return;
  --on_stream_;
  reads_on_ -= entry.reads_on ? 1 : 0;
}

void ResendQueue::Fail(Entry& entry, const absl::Status& status) {
  BatchResult result = FailedResult(entry.cut ? entry.places.size() : entry.operations, status);
  if (entry.cut) result = RestoreCut(std::move(result), entry.places, entry.operations);
  Finish(entry, std::move(result));
}

std::optional<BatchResult> ResendQueue::TakeFinished() {
  if (entries_.empty() || !entries_.front().answer) return std::nullopt;
  BatchResult result = *std::move(entries_.front().answer);
  entries_.pop_front();
  --answered_;
  return result;
}

void ResendQueue::StreamLost(const absl::Status& unknown) {
  for (Entry& entry : entries_) {
    if (!entry.on_stream || entry.answer) continue;
    if (!repeats_) {
      Fail(entry, unknown);
    } else {
      LeaveStream(entry);
    }
  }
}

void ResendQueue::AnswersLost(const absl::Status& unknown) {
  for (Entry& entry : entries_) {
    if (!entry.answer && entry.sent && entry.changes) Fail(entry, unknown);
  }
}

void ResendQueue::FailAll(const absl::Status& unknown, const absl::Status& refused) {
  for (Entry& entry : entries_) {
    if (!entry.answer) Fail(entry, entry.sent && entry.changes ? unknown : refused);
  }
}

void ResendQueue::Clear() {
  entries_.clear();
  answered_ = on_stream_ = reads_on_ = 0;
}

bool ResendQueue::Cancel(uint64_t sequence) {
  for (Entry& entry : entries_) {
    if (entry.answer) continue;
    if (entry.sent && !repeats_) {
      // The batch is not here any more: whose operation it is only its server knows.
      if (sequence >= entry.first_sequence) return true;
      continue;
    }
    const std::optional<size_t> index = FindSequence(entry.batch, sequence);
    if (!index) continue;
    if (!entry.sent) {
      CutOut(entry, *index);
      return false;
    }
    if (entry.cancels.empty() || entry.cancels.back() != sequence) {
      entry.cancels.push_back(sequence);
    }
    return entry.on_stream;
  }
  return false;
}

void ResendQueue::CutOut(Entry& entry, size_t index) {
  if (!entry.cut) {
    entry.cut = true;
    for (uint32_t place = 0; place < entry.operations; ++place) entry.places.push_back(place);
  }
  entry.places.erase(entry.places.begin() + static_cast<std::ptrdiff_t>(index));
  entry.batch = WithoutOperation(entry.batch, index);
  entry.changes = entry.batch.changes();
  if (entry.batch.empty()) Finish(entry, RestoreCut(BatchResult(), {}, entry.operations));
}

}  // namespace quire
