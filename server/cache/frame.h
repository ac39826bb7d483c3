// A frame: one block in the cache, with the memory its image lies in.
//
// The frame is the block's identity, the memory is not: copy-on-flush gives the frame other memory
// and leaves the old to the flush. Pins and the block table point to frames, so all pins of a block
// see its newest image whatever a flush does.
#ifndef QUIRE_SERVER_CACHE_FRAME_H_
#define QUIRE_SERVER_CACHE_FRAME_H_

#include <cstdint>

#include "server/base/ids.h"
#include "server/cache/block_cache.h"

namespace quire {

struct FramePool;

struct alignas(64) Frame {
  char* image = nullptr;      // newest image
  FramePool* pool = nullptr;  // of its image size
  FileId file = 0;
  Frame* previous = nullptr;  // in the replacer's list or the list of changed frames: never both
  Frame* next = nullptr;
  BlockNumber block = 0;
  uint32_t pins = 0;
  uint32_t image_bytes = 0;
  uint32_t batch_position = 0;  // while in_batch
  uint32_t entered = 0;         // on probation: FramePool::entries when it came

  BlockUse use = BlockUse::kData;
  bool referenced : 1 = false;  // since the replacer last passed

  // Where the newest image stands. A block is dirty while changed or flushing.
  bool changed : 1 = false;    // since the last cut: on the list of changed frames
  bool flushing : 1 = false;   // its image at the last cut is being written; if changed too, the
                               // newest image is a copy
  bool in_batch : 1 = false;   // changed since the last TakeBatch
  bool discarded : 1 = false;  // no longer found; goes when neither pinned nor flushing
  bool created : 1 = false;    // by Create, not written to yet: nothing in it is worth keeping

  // What the next write call counts as (R-C1). Neither: a write clean.
  bool logically_dirty : 1 = false;  // a write hit, as is the first one after Create
  bool absent : 1 = false;           // a write miss: fetched for this write

  // Look-aside (lookaside.h).
  bool freeze : 1 = false;  // belongs in the frozen memory: goes there as soon as nothing hinders
  bool frozen : 1 = false;  // its image lies there: never evicted
  bool bypass : 1 = false;  // not to be kept: leaves with its last pin unless changed before

  // Nothing of it is still to be written or taken back.
  bool Clean() const { return !(changed || flushing || in_batch || discarded || created); }
  // With the replacer: may be evicted when not pinned.
  bool Resting() const { return Clean() && !frozen; }
};
static_assert(sizeof(Frame) == 64, "one cache line");

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_FRAME_H_
