// Which block of a pool leaves the cache first.
//
// Holds the pool's resting frames, one CLOCK per use class: a frame used since the hand last passed
// gets another round. Scanned blocks go first, whatever else is there, so a long scan lives on the
// frames it has itself; then data blocks; index blocks last, unless they hold more than half of the
// pool, so that the index of a file no longer used does not stay for ever. Data blocks of a file
// with LOOKASIDE are on probation until used again (frame_table.cc): those go before other data
// blocks while they hold more than a quarter of the pool, so that blocks read once, however many,
// take no more than that from those read often.
#ifndef QUIRE_SERVER_CACHE_REPLACER_H_
#define QUIRE_SERVER_CACHE_REPLACER_H_

#include <array>
#include <cstdint>

#include "server/cache/frame.h"
#include "server/cache/frame_list.h"

namespace quire {

class Replacer {
 public:
  // The frame counts as just used.
  void Add(Frame* frame) { Clock(frame->use).PushBack(frame); }
  void Remove(Frame* frame) { Clock(frame->use).Remove(frame); }
  // For a frame that was added.
  void ChangeUse(Frame* frame, BlockUse use);

  // A frame not pinned, still in the replacer; nullptr when all are pinned. `pool_frames`: all
  // frames of the pool, resting or not. Amortized constant time while few frames are pinned.
  Frame* Victim(uint64_t pool_frames);

  uint64_t size() const;

 private:
  FrameList& Clock(BlockUse use) { return clocks_[static_cast<size_t>(use)]; }

  std::array<FrameList, 4> clocks_;  // by BlockUse
};

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_REPLACER_H_
