// Which blocks are in the cache, and the life of their frames: found, pinned, changed, flushed,
// evicted, discarded. Counts no calls and reads no store; BlockCache does that.
//
// A frame is on exactly one of: the replacer's lists (resting), the list of changed frames, or none
// (flushing and unchanged, in the batch only, created and not written, discarded, frozen).
//
// Frozen frames lie in memory of their own, whose images are all busy. When one is changed while a
// flush reads it, its copy is taken from the ordinary memory and brought back after the flush.
#ifndef QUIRE_SERVER_CACHE_FRAME_TABLE_H_
#define QUIRE_SERVER_CACHE_FRAME_TABLE_H_

#include <cstdint>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "server/base/check.h"
#include "server/base/huge_memory.h"
#include "server/base/ids.h"
#include "server/cache/block_cache.h"
#include "server/cache/block_table.h"
#include "server/cache/frame.h"
#include "server/cache/frame_list.h"
#include "server/cache/frame_pool.h"

namespace quire {

class FrameTable {
 public:
  explicit FrameTable(const CacheOptions& options);
  ~FrameTable();  // a pinned frame stops the process
  FrameTable(const FrameTable&) = delete;
  FrameTable& operator=(const FrameTable&) = delete;

  // nullptr: not in the cache.
  Frame* Find(FileId file, BlockNumber block) const { return blocks_.Find(file, block); }

  // A frame with memory, pinned once, that holds no block yet; evicts at need. nullptr: no room.
  Frame* Obtain(uint32_t image_bytes);
  // The same in the frozen memory. nullptr: no room there, which is no error.
  Frame* ObtainFrozen(uint32_t image_bytes);
  // The frame holds this block from now on; the block must not be in the table.
  void Enter(Frame* frame, FileId file, BlockNumber block, BlockUse use);
  // Gives back an obtained frame that was not entered.
  void Return(Frame* frame);

  void Pin(Frame* frame) {
    if (frame->pins++ == 0 && frame->Resting()) memory_.MarkBusy(*frame->pool, frame->image);
  }
  void Unpin(Frame* frame) {
    QUIRE_CHECK(frame->pins > 0);
    if (--frame->pins == 0) Unpinned(frame);
  }
  // The block was used: keeps it longer, except when a scan used it.
  void Touch(Frame* frame, BlockUse use);

  // The block was read and belongs in the frozen memory: it goes there with its last pin, when
  // there is room.
  void WantFrozen(Frame* frame) {
    frame->freeze = frame->frozen || frozen_.HasFree(frozen_.PoolOf(frame->image_bytes));
  }
  // Frozen blocks of the file come under ordinary replacement as they are no longer pinned or
  // dirty.
  void Unfreeze(FileId file);

  // To be called before the newest image is changed: puts the frame on the list of changed frames,
  // and gives it memory of its own when the flush is reading the old. False: no room for that.
  bool Change(Frame* frame) { return frame->changed || MakeChanged(frame); }
  void AddToBatch(Frame* frame);
  void TakeBatch(absl::FunctionRef<void(FileId, BlockNumber, absl::Span<const char>)> visit);

  // The block is not found any more; the frame goes as soon as nobody needs it.
  void Drop(Frame* frame);
  void DropFile(FileId file);  // none may be pinned

  FlushList BeginFlush();
  void EndFlush(const FlushList& list, bool committed);

  uint64_t Room(uint32_t image_bytes) { return memory_.Room(memory_.PoolOf(image_bytes)); }
  // Whether a block can come without another leaving.
  bool HasFree(uint32_t image_bytes) { return memory_.HasFree(memory_.PoolOf(image_bytes)); }
  uint64_t batch_blocks() const { return batch_blocks_; }
  uint64_t batch_bytes() const { return batch_bytes_; }
  uint64_t dirty_blocks() const { return changed_.size() + flushing_blocks_; }
  uint64_t dirty_bytes() const { return changed_bytes_ + flushing_bytes_; }
  const FrameMemory& memory() const { return memory_; }
  const FrameMemory& frozen() const { return frozen_; }

  // Recounts everything; stops the process when the books do not agree. Takes time.
  void CheckBooks() const;

 private:
  char* TakeImage(FramePool& pool, Frame* owner);
  void Evict(Frame* frame);
  bool TakeChunk(FramePool& pool, bool of_richer_pool);
  void Unpinned(Frame* frame);
  bool MakeChanged(Frame* frame);
  void PushChanged(Frame* frame);
  void RemoveChanged(Frame* frame);
  void RemoveFromBatch(Frame* frame);
  void Rest(Frame* frame);  // when nothing hinders: to the replacer
  char* TakeFrozen(FramePool& pool, Frame* owner);
  bool Settle(Frame* frame);
  bool Thaw(Frame* frame);
  void Leave(Frame* frame);
  void FreeFlushed(Frame* frame, const char* image);
  void Release(Frame* frame);
  Frame* NewFrame(FramePool& pool);  // nullptr: no more can be had

  FrameMemory memory_;
  FrameMemory frozen_;
  // An array at a place of its own, grown into: huge pages, as each read looks at some frames.
  HugeMemory frame_memory_;
  Frame* const frames_;
  const uint64_t most_frames_;
  uint64_t frames_made_ = 0;
  BlockTable blocks_;
  std::vector<Frame*> unused_frames_;

  FrameList changed_;
  uint64_t changed_bytes_ = 0;
  bool flush_under_way_ = false;
  uint64_t flushing_blocks_ = 0;
  uint64_t flushing_bytes_ = 0;

  std::vector<Frame*> batch_;  // in order of first change; nullptr: discarded since
  uint64_t batch_blocks_ = 0;
  uint64_t batch_bytes_ = 0;
};

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_FRAME_TABLE_H_
