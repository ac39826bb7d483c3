#include "server/cache/frame_table.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "quire/limits.h"
#include "server/base/activity.h"
#include "server/base/check.h"

namespace quire {
namespace {

// As many scans in turn as may read the records of their blocks one by one without their blocks
// passing for such as are used again.
constexpr uint32_t kOneUseEntries = 16;

// Frames are of image sizes of 512 bytes and more, tests' of a quarter of that.
uint64_t MostFrames(const CacheOptions& options) {
  constexpr uint64_t kSmallestImage = 128;
  return std::min<uint64_t>((options.bytes + options.frozen_bytes) / kSmallestImage + 1, INT32_MAX);
}

// A table that grows while a request waits would be felt; half a million blocks take 8 MiB.
uint64_t ReservedBlocks(const CacheOptions& options) {
  constexpr uint64_t kMostReserved = 512 << 10;
  return std::min(options.bytes / kDefaultBlockBytes, kMostReserved);
}

}  // namespace

FrameTable::FrameTable(const CacheOptions& options)
    : memory_(options, this),
      frozen_(CacheOptions{options.frozen_bytes, 0}, this),
      frame_memory_(MostFrames(options) * sizeof(Frame)),
      frames_(reinterpret_cast<Frame*>(frame_memory_.data())),
      most_frames_(frames_ == nullptr ? 0 : MostFrames(options)),
      blocks_(frames_, ReservedBlocks(options)) {}

FrameTable::~FrameTable() {
  for (uint64_t i = 0; i < frames_made_; ++i) QUIRE_CHECK(frames_[i].pins == 0);
}

Frame* FrameTable::NewFrame(FramePool& pool) {
  Frame* frame;
  if (!unused_frames_.empty()) {
    frame = unused_frames_.back();
    unused_frames_.pop_back();
  } else if (frames_made_ < most_frames_) {
    frame = new (frames_ + frames_made_++) Frame();
  } else {
    return nullptr;
  }
  frame->pool = &pool;
  frame->image_bytes = pool.image_bytes;
  return frame;
}

Frame* FrameTable::Obtain(uint32_t image_bytes) {
  FramePool& pool = memory_.PoolOf(image_bytes);
  Frame* frame = NewFrame(pool);
  if (frame == nullptr) return nullptr;
  frame->image = TakeImage(pool, frame);
  if (frame->image == nullptr) {
    *frame = Frame();
    unused_frames_.push_back(frame);
    return nullptr;
  }
  frame->pins = 1;
  return frame;
}

void FrameTable::Enter(Frame* frame, FileId file, BlockNumber block, BlockUse use) {
  frame->file = file;
  frame->block = block;
  frame->use = use;
  if (use == BlockUse::kProbation) frame->entered = frame->pool->entries++;
  const bool entered = blocks_.Insert(frame);
  QUIRE_CHECK(entered);
  Rest(frame);
}

void FrameTable::Return(Frame* frame) {
  QUIRE_CHECK(frame->pins == 1);
  frame->pins = 0;
  Release(frame);
}

char* FrameTable::TakeImage(FramePool& pool, Frame* owner) {
  if (char* image = memory_.TakeFree(pool, owner)) return image;
  // A pool that has replaced all it holds, while others hold more, may ask for its share of them.
  if (pool.evictions >= pool.images) {
    pool.evictions = 0;
    if (TakeChunk(pool, /*of_richer_pool=*/true)) return memory_.TakeFree(pool, owner);
  }
  if (Frame* victim = pool.replacer.Victim(pool.images)) {
    Evict(victim);
    ++pool.evictions;
  } else if (!TakeChunk(pool, /*of_richer_pool=*/false)) {
    return nullptr;
  }
  return memory_.TakeFree(pool, owner);
}

void FrameTable::Evict(Frame* frame) {
  QUIRE_INVARIANT(frame->Resting() && frame->pins == 0);
  frame->pool->replacer.Remove(frame);
  memory_.MarkBusy(*frame->pool, frame->image);
  blocks_.Erase(frame);
  Release(frame);
}

bool FrameTable::TakeChunk(FramePool& pool, bool of_richer_pool) {
  const std::optional<uint32_t> chunk = memory_.FindIdleChunk(pool, of_richer_pool);
  if (!chunk) return false;
  for (Frame* frame : memory_.FramesOf(*chunk)) Evict(frame);
  memory_.GiveChunk(*chunk, pool);
  return true;
}

void FrameTable::Unpinned(Frame* frame) {
  frame->absent = false;
  if (frame->Resting()) {
    memory_.MarkIdle(*frame->pool, frame->image);
    if (frame->bypass || frame->freeze) Leave(frame);
  } else if (frame->discarded) {
    if (!frame->flushing) Release(frame);
  } else if (frame->created) {
    Drop(frame);
  } else if (frame->frozen && !frame->freeze) {
    Rest(frame);  // if clean
  }
}

void FrameTable::Touch(Frame* frame, BlockUse use) {
  if (use == BlockUse::kScanned) return;
  frame->referenced = true;
  if (use >= frame->use) return;
  // Uses so soon after it came are one use: of a sequential read, or of the same request.
  if (frame->use == BlockUse::kProbation && use == BlockUse::kData &&
      frame->pool->entries - frame->entered <= kOneUseEntries) {
    return;
  }
  if (frame->Resting()) {
    frame->pool->replacer.ChangeUse(frame, use);
  } else {
    frame->use = use;
  }
}

bool FrameTable::MakeChanged(Frame* frame) {
  QUIRE_CHECK(!frame->discarded);
  frame->bypass = false;
  if (frame->flushing) {
    FramePool& pool = frame->frozen ? memory_.PoolOf(frame->image_bytes) : *frame->pool;
    char* memory = TakeImage(pool, frame);
    if (memory == nullptr) return false;
    const ActivityScope activity(Activity::kCopy);
    std::memcpy(memory, frame->image, frame->image_bytes);
    frame->image = memory;  // the flush list knows the old one; EndFlush frees it
    frame->pool = &pool;
    frame->frozen = false;
  } else if (frame->Resting()) {
    frame->pool->replacer.Remove(frame);
    if (frame->pins == 0) memory_.MarkBusy(*frame->pool, frame->image);
  }
  frame->created = false;
  PushChanged(frame);
  return true;
}

void FrameTable::PushChanged(Frame* frame) {
  frame->changed = true;
  changed_.PushBack(frame);
  changed_bytes_ += frame->image_bytes;
}

void FrameTable::RemoveChanged(Frame* frame) {
  frame->changed = false;
  changed_.Remove(frame);
  changed_bytes_ -= frame->image_bytes;
}

void FrameTable::Drop(Frame* frame) {
  blocks_.Erase(frame);
  if (frame->Resting()) {
    frame->pool->replacer.Remove(frame);
    if (frame->pins == 0) memory_.MarkBusy(*frame->pool, frame->image);
  }
  if (frame->changed) RemoveChanged(frame);
  if (frame->in_batch) RemoveFromBatch(frame);
  frame->discarded = true;
  if (frame->pins == 0 && !frame->flushing) Release(frame);
}

void FrameTable::DropFile(FileId file) {
  std::vector<Frame*> found;
  blocks_.ForEach([&](Frame* frame) {
    if (frame->file == file) found.push_back(frame);
  });
  for (Frame* frame : found) {
    QUIRE_CHECK(frame->pins == 0);
    Drop(frame);
  }
}

void FrameTable::Rest(Frame* frame) {
  if (!frame->Clean()) return;
  if (frame->freeze != frame->frozen && frame->pins == 0 && !Settle(frame)) return;
  if (frame->frozen) return;
  frame->pool->replacer.Add(frame);
  if (frame->pins == 0) memory_.MarkIdle(*frame->pool, frame->image);
}

void FrameTable::Release(Frame* frame) {
  QUIRE_INVARIANT(frame->pins == 0 && !frame->changed && !frame->flushing && !frame->in_batch);
  frame->pool->memory->Free(*frame->pool, frame->image);
  *frame = Frame();
  unused_frames_.push_back(frame);
}

void FrameTable::CheckBooks() const {
  uint64_t resting = 0;
  uint64_t changed = 0;
  uint64_t flushing = 0;
  uint64_t in_batch = 0;
  uint64_t found = 0;
  for (const Frame& frame : absl::MakeConstSpan(frames_, frames_made_)) {
    if (frame.image == nullptr) continue;  // unused
    QUIRE_CHECK(frame.frozen == frozen_.Holds(frame.image));
    QUIRE_CHECK((frame.pool->memory == &frozen_) == frame.frozen);
    resting += frame.Resting() ? 1 : 0;
    changed += frame.changed ? 1 : 0;
    flushing += frame.flushing ? 1 : 0;
    in_batch += frame.in_batch ? 1 : 0;
    found += frame.discarded ? 0 : 1;
    QUIRE_CHECK(frame.discarded || Find(frame.file, frame.block) == &frame);
    QUIRE_CHECK(!frame.discarded || frame.pins > 0 || frame.flushing);
  }
  QUIRE_CHECK(found == blocks_.size());
  QUIRE_CHECK(changed == changed_.size());
  QUIRE_CHECK(flushing == flushing_blocks_);
  QUIRE_CHECK(in_batch == batch_blocks_);
  uint64_t with_replacers = 0;
  for (const auto& pool : memory_.pools()) with_replacers += pool->replacer.size();
  QUIRE_CHECK(resting == with_replacers);
  memory_.CheckBooks();
  frozen_.CheckBooks();
}

}  // namespace quire
