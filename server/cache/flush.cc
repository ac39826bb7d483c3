// What leaves the cache: the batch for the trail, the cut for the store.
#include "server/base/check.h"
#include "server/cache/frame_table.h"

namespace quire {

void FrameTable::AddToBatch(Frame* frame) {
  if (frame->in_batch) return;
  QUIRE_INVARIANT(frame->changed);
  frame->in_batch = true;
  frame->batch_position = static_cast<uint32_t>(batch_.size());
  batch_.push_back(frame);
  ++batch_blocks_;
  batch_bytes_ += frame->image_bytes;
}

void FrameTable::RemoveFromBatch(Frame* frame) {
  frame->in_batch = false;
  batch_[frame->batch_position] = nullptr;
  --batch_blocks_;
  batch_bytes_ -= frame->image_bytes;
}

void FrameTable::TakeBatch(
    absl::FunctionRef<void(FileId, BlockNumber, absl::Span<const char>)> visit) {
  for (Frame* frame : batch_) {
    if (frame == nullptr) continue;
    visit(frame->file, frame->block, absl::MakeConstSpan(frame->image, frame->image_bytes));
    frame->in_batch = false;
    Rest(frame);  // when a flush has made it clean meanwhile
  }
  batch_.clear();
  batch_blocks_ = 0;
  batch_bytes_ = 0;
}

FlushList FrameTable::BeginFlush() {
  QUIRE_CHECK(!flush_under_way_);
  flush_under_way_ = true;
  FlushList list;
  list.blocks.reserve(changed_.size());
  list.frames.reserve(changed_.size());
  list.bytes = changed_bytes_;
  while (Frame* frame = changed_.front()) {
    RemoveChanged(frame);
    frame->flushing = true;
    list.blocks.push_back({frame->file, frame->block, frame->image, frame->image_bytes});
    list.frames.push_back(frame);
  }
  flushing_blocks_ = list.frames.size();
  flushing_bytes_ = list.bytes;
  return list;
}

void FrameTable::EndFlush(const FlushList& list, bool committed) {
  QUIRE_CHECK(flush_under_way_ && list.frames.size() == flushing_blocks_);
  flush_under_way_ = false;
  flushing_blocks_ = 0;
  flushing_bytes_ = 0;
  for (size_t i = 0; i < list.frames.size(); ++i) {
    Frame* frame = list.frames[i];
    QUIRE_CHECK(frame->flushing);
    frame->flushing = false;
    if (frame->image != list.blocks[i].image) {
      FreeFlushed(frame, list.blocks[i].image);
    }
    if (frame->discarded) {
      if (frame->pins == 0) Release(frame);
    } else if (frame->changed) {
      continue;  // since the cut: the newer image stays dirty, however the flush ended
    } else if (committed) {
      frame->logically_dirty = false;
      Rest(frame);
    } else {
      PushChanged(frame);
    }
  }
}

}  // namespace quire
