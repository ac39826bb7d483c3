#include "server/volume/saved_answers.h"

#include <algorithm>
#include <utility>

namespace quire {
namespace {

// In an answer record (answer_record.h).
constexpr size_t kRunBytes = 16;
constexpr size_t kOtherBytes = 21;  // without the message

}  // namespace

std::optional<SavedAnswer> SavedAnswers::Find(uint64_t sequence) const {
  if (sequence > highest_) return std::nullopt;
  if (const auto found = full_.find(sequence); found != full_.end()) return found->second;
  const auto behind = std::upper_bound(plain_.begin(), plain_.end(), sequence,
                                       [](uint64_t s, const Run& run) { return s < run.first; });
  if (behind == plain_.begin() || std::prev(behind)->last < sequence) return std::nullopt;
  return SavedAnswer();
}

void SavedAnswers::Save(uint64_t sequence, SavedAnswer answer) {
  if (sequence <= acked_through_) return;
  highest_ = std::max(highest_, sequence);
  if (answer.IsPlainOk()) {
    SavePlain(sequence);
  } else {
    record_bytes_ += answer.record.size();
    full_.insert_or_assign(sequence, std::move(answer));
  }
  while (size() > limit_) DropOldest();
}

void SavedAnswers::SavePlain(uint64_t sequence) {
  ++plain_count_;
  if (!plain_.empty() && plain_.back().last + 1 == sequence) {
    ++plain_.back().last;
    return;
  }
  // Single calls of one client may come out of order.
  const auto behind = std::upper_bound(plain_.begin(), plain_.end(), sequence,
                                       [](uint64_t s, const Run& run) { return s < run.first; });
  plain_.insert(behind, Run{sequence, sequence});
}

void SavedAnswers::DropOldest() {
  const bool full_first =
      plain_.empty() || (!full_.empty() && full_.begin()->first < plain_.front().first);
  if (full_first) {
    record_bytes_ -= full_.begin()->second.record.size();
    full_.erase(full_.begin());
    return;
  }
  --plain_count_;
  if (plain_.front().first == plain_.front().last) {
    plain_.pop_front();
  } else {
    ++plain_.front().first;
  }
}

void SavedAnswers::AckThrough(uint64_t sequence) {
  if (sequence <= acked_through_) return;
  acked_through_ = sequence;
  while (!full_.empty() && full_.begin()->first <= sequence) {
    record_bytes_ -= full_.begin()->second.record.size();
    full_.erase(full_.begin());
  }
  while (!plain_.empty() && plain_.front().first <= sequence) {
    Run& run = plain_.front();
    const uint64_t last = std::min(run.last, sequence);
    plain_count_ -= last - run.first + 1;
    if (last == run.last) {
      plain_.pop_front();
    } else {
      run.first = last + 1;
    }
  }
}

// ---- For the audit trail ----------------------------------------------------------------------

size_t SavedAnswers::MarkUnlogged(uint64_t sequence) {
  if (const auto found = full_.find(sequence); found != full_.end()) {
    unlogged_others_.push_back(sequence);
    return kOtherBytes + found->second.status.message().size();
  }
  if (!unlogged_runs_.empty() && unlogged_runs_.back().last + 1 == sequence) {
    ++unlogged_runs_.back().last;
    return 0;
  }
  unlogged_runs_.push_back(Run{sequence, sequence});
  return kRunBytes;
}

size_t SavedAnswers::CountUnlogged() {
  std::erase_if(unlogged_runs_, [this](const Run& run) { return run.last <= acked_through_; });
  std::erase_if(unlogged_others_, [this](uint64_t sequence) { return !full_.contains(sequence); });
  size_t bytes = unlogged_runs_.size() * kRunBytes;
  for (const uint64_t sequence : unlogged_others_) {
    bytes += kOtherBytes + full_.at(sequence).status.message().size();
  }
  return bytes;
}

AnswerRecord SavedAnswers::TakeUnlogged() {
  AnswerRecord record;
  record.acked_through = acked_through_;
  record.runs = std::exchange(unlogged_runs_, {});
  std::erase_if(record.runs, [this](const Run& run) { return run.last <= acked_through_; });
  for (const uint64_t sequence : std::exchange(unlogged_others_, {})) {
    const auto found = full_.find(sequence);
    if (found != full_.end()) record.others.push_back(OtherOf(sequence, found->second));
  }
  return record;
}

AnswerRecord SavedAnswers::AllOfChanges() const {
  AnswerRecord record;
  record.acked_through = acked_through_;
  record.runs.assign(plain_.begin(), plain_.end());
  for (const auto& [sequence, answer] : full_) {
    if (answer.change) record.others.push_back(OtherOf(sequence, answer));
  }
  return record;
}

AnswerRecord::Other SavedAnswers::OtherOf(uint64_t sequence, const SavedAnswer& answer) {
  return AnswerRecord::Other{sequence, answer.status, answer.warning};
}

void SavedAnswers::Restore(const AnswerRecord& record) {
  AckThrough(record.acked_through);
  for (const Run& run : record.runs) RestoreRun(run);
  for (const AnswerRecord::Other& other : record.others) {
    NoteChange(other.sequence);
    Save(other.sequence, SavedAnswer{other.status, other.warning, {}, std::nullopt, true});
  }
}

void SavedAnswers::RestoreRun(Run run) {
  NoteChange(run.last);
  run.first = std::max(run.first, acked_through_ + 1);
  if (run.first > run.last) return;
  if (run.last - run.first >= limit_) run.first = run.last - limit_ + 1;
  highest_ = std::max(highest_, run.last);
  // Unites it with those it meets: records of the trail may tell an answer twice.
  auto at = std::lower_bound(plain_.begin(), plain_.end(), run.first,
                             [](const Run& other, uint64_t s) { return other.last < s; });
  while (at != plain_.end() && at->first <= run.last) {
    run.first = std::min(run.first, at->first);
    run.last = std::max(run.last, at->last);
    plain_count_ -= at->last - at->first + 1;
    at = plain_.erase(at);
  }
  if (at != plain_.begin() && std::prev(at)->last + 1 == run.first) {
    --at;
    plain_count_ -= at->last - at->first + 1;
    run.first = at->first;
    at = plain_.erase(at);
  }
  plain_.insert(at, run);
  plain_count_ += run.last - run.first + 1;
  while (size() > limit_) DropOldest();
}

}  // namespace quire
