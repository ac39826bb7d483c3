// Frozen frames: into the memory of their own and out of it.
#include <cstring>
#include <optional>
#include <vector>

#include "server/base/check.h"
#include "server/cache/frame_table.h"

namespace quire {

Frame* FrameTable::ObtainFrozen(uint32_t image_bytes) {
  FramePool& pool = frozen_.PoolOf(image_bytes);
  Frame* frame = NewFrame(pool);
  if (frame == nullptr) return nullptr;
  frame->image = TakeFrozen(pool, frame);
  if (frame->image == nullptr) {
    *frame = Frame();
    unused_frames_.push_back(frame);
    return nullptr;
  }
  frame->pins = 1;
  frame->freeze = true;
  frame->frozen = true;
  return frame;
}

char* FrameTable::TakeFrozen(FramePool& pool, Frame* owner) {
  if (char* image = frozen_.TakeFree(pool, owner)) return image;
  // A chunk without a busy image is empty here.
  const std::optional<uint32_t> chunk = frozen_.FindIdleChunk(pool, /*of_richer_pool=*/false);
  if (!chunk) return nullptr;
  frozen_.GiveChunk(*chunk, pool);
  return frozen_.TakeFree(pool, owner);
}

// Brings a clean frame without pins, which no list holds and whose image is busy, to where it
// belongs, or leaves it under ordinary replacement. False: there was no room for it and it is gone.
bool FrameTable::Settle(Frame* frame) {
  if (!frame->freeze) return Thaw(frame);
  FramePool& pool = frozen_.PoolOf(frame->image_bytes);
  char* memory = TakeFrozen(pool, frame);
  if (memory == nullptr) {
    frame->freeze = false;
    return true;
  }
  std::memcpy(memory, frame->image, frame->image_bytes);
  frame->pool->memory->Free(*frame->pool, frame->image);
  frame->image = memory;
  frame->pool = &pool;
  frame->frozen = true;
  return true;
}

bool FrameTable::Thaw(Frame* frame) {
  FramePool& pool = memory_.PoolOf(frame->image_bytes);
  char* memory = TakeImage(pool, frame);
  if (memory == nullptr) {
    blocks_.Erase(frame);
    Release(frame);
    return false;
  }
  std::memcpy(memory, frame->image, frame->image_bytes);
  frame->pool->memory->Free(*frame->pool, frame->image);
  frame->image = memory;
  frame->pool = &pool;
  frame->frozen = false;
  return true;
}

// A resting frame has lost its last pin and does not belong where it is.
void FrameTable::Leave(Frame* frame) {
  if (frame->bypass) {
    Evict(frame);
    return;
  }
  frame->pool->replacer.Remove(frame);
  memory_.MarkBusy(*frame->pool, frame->image);
  Rest(frame);
}

void FrameTable::Unfreeze(FileId file) {
  std::vector<Frame*> found;
  blocks_.ForEach([&](Frame* frame) {
    if (frame->file != file || !frame->freeze) return;
    frame->freeze = false;
    if (frame->frozen && frame->pins == 0) found.push_back(frame);
  });
  // Frozen frames are not evicted, so what thaws before them leaves them there.
  for (Frame* frame : found) Rest(frame);
}

// The image that a flush has written, of a frame that has another by now. It may have been frozen
// when the flush began.
void FrameTable::FreeFlushed(Frame* frame, const char* image) {
  FrameMemory& memory = frozen_.Holds(image) ? frozen_ : memory_;
  memory.Free(memory.PoolOf(frame->image_bytes), const_cast<char*>(image));
}

}  // namespace quire
