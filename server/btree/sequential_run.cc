#include "server/btree/sequential_run.h"

#include <algorithm>
#include <utility>

#include "server/btree/upcoming_leaves.h"

namespace quire {

SequentialRun::SequentialRun(const ReadAheadRules& rules, std::shared_ptr<ReadAheadWorth> worth)
    : rules_(rules), worth_(std::move(worth)) {}

SequentialRun::~SequentialRun() {
  if (used_ + unused_ + asked_.size() > 0) worth_->NoteEnd(used_, unused_ + asked_.size());
}

void SequentialRun::CameTo(const TreeParts& parts, const RunPlace& place, ReadAhead& read_ahead) {
  NoteArrival(place.leaf);
  if (ahead_ > 0) --ahead_;
  if (at_end_ || ahead_ > window_ / 2) return;
  // What is read from the cache needs nobody ahead of it.
  if (!place.missed && asked_.empty()) return;
  if (worth_->Pausing()) return;
  Ask(parts, place, read_ahead);
}

void SequentialRun::NoteArrival(BlockNumber leaf) {
  const auto found = std::find(asked_.begin(), asked_.end(), leaf);
  if (found == asked_.end()) return;
  unused_ += static_cast<uint64_t>(found - asked_.begin());  // the tree changed: passed by
  ++used_;
  worth_->NoteUsed(1);
  asked_.erase(asked_.begin(), found + 1);
}

void SequentialRun::Ask(const TreeParts& parts, const RunPlace& place, ReadAhead& read_ahead) {
  const uint64_t block_bytes = parts.file->image_bytes;
  const auto first = static_cast<uint32_t>(std::max<uint64_t>(1, rules_.first_bytes / block_bytes));
  const auto most = static_cast<uint32_t>(std::max<uint64_t>(1, rules_.most_bytes / block_bytes));
  const bool grows = rules_.adaptive && window_ > 0;
  window_ = std::min(grows ? window_ * 2 : first, rules_.adaptive ? most : first);
  const UpcomingRequest wanted{place.key, place.reverse, place.range, ahead_,
                               window_ - std::min(window_, ahead_)};
  std::vector<BlockNumber> leaves;
  at_end_ = !UpcomingLeaves(parts, wanted).Find(&leaves);
  ahead_ += static_cast<uint32_t>(leaves.size());
  std::erase_if(leaves, [&](BlockNumber leaf) { return parts.cache->Holds(*parts.file, leaf); });
  if (leaves.empty()) return;
  asked_.insert(asked_.end(), leaves.begin(), leaves.end());
  worth_->NoteAsked(leaves.size());
  read_ahead.Bring(parts.file->id, std::move(leaves), worth_);
}

}  // namespace quire
