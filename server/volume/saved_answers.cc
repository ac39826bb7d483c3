#include "server/volume/saved_answers.h"

#include <algorithm>
#include <utility>

namespace quire {

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

}  // namespace quire
