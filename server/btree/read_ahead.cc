#include "server/btree/read_ahead.h"

#include <algorithm>

namespace quire {

bool ReadAheadWorth::Pausing() {
  const uint32_t left = pause_left_.load(std::memory_order_relaxed);
  if (left == 0) return false;
  // The thread that brings blocks may set it meanwhile: a pause then is a block longer or shorter.
  pause_left_.store(left - 1, std::memory_order_relaxed);
  return true;
}

void ReadAheadWorth::NoteAsked(uint64_t blocks) {
  totals_->asked.fetch_add(static_cast<int64_t>(blocks), std::memory_order_relaxed);
}

void ReadAheadWorth::NoteUsed(uint64_t blocks) {
  totals_->used.fetch_add(static_cast<int64_t>(blocks), std::memory_order_relaxed);
}

void ReadAheadWorth::NoteEnd(uint64_t used, uint64_t unused) {
  totals_->unused.fetch_add(static_cast<int64_t>(unused), std::memory_order_relaxed);
  if (!adaptive_) return;
  const uint32_t now = sequential_.load(std::memory_order_relaxed);
  sequential_.store(
      unused > used ? std::min(now * 2, kMostSequential) : std::max(now / 2, kFirstSequential),
      std::memory_order_relaxed);
}

void ReadAheadWorth::NoteBrought(uint32_t asked, uint32_t brought) {
  totals_->brought.fetch_add(brought, std::memory_order_relaxed);
  if (!adaptive_) return;
  if (uint64_t{brought} * kColdShare >= asked) {
    pause_length_.store(0, std::memory_order_relaxed);
    return;
  }
  const uint32_t before = pause_length_.load(std::memory_order_relaxed);
  const uint32_t length = std::clamp(before * 2, kFirstPause, kLongestPause);
  pause_length_.store(length, std::memory_order_relaxed);
  pause_left_.store(length, std::memory_order_relaxed);
  totals_->pauses.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace quire
