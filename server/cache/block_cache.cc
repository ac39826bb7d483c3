#include "server/cache/block_cache.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "server/base/activity.h"
#include "server/base/check.h"
#include "server/cache/errors.h"
#include "server/cache/frame.h"
#include "server/cache/frame_table.h"
#include "server/cache/lookaside.h"

namespace quire {

struct BlockCache::Body {
  Body(BlockStore* block_store, const CacheOptions& options)
      : store(block_store), table(options), keeping(options) {}

  // A block that is not in the cache, from the store, pinned.
  absl::StatusOr<Frame*> Fetch(const CachedFile& file, BlockNumber block, BlockUse use);
  Frame* ObtainFor(const CachedFile& file, BlockUse use);
  // A read call on a file with LOOKASIDE.
  absl::StatusOr<Frame*> ReadLookaside(const CachedFile& file, BlockNumber block, BlockUse use,
                                       BlockCalls& calls);
  absl::StatusOr<Frame*> ReadIndex(const CachedFile& file, BlockNumber block, BlockCalls& calls);

  BlockStore* store;
  uint64_t change_calls = 0;
  int64_t index_reads = 0;
  FrameTable table;
  DataKeeping keeping;
};

namespace {

// Header and slots: every search begins at both ends.
void PrefetchEnds(const Frame& frame) {
  __builtin_prefetch(frame.image);
  __builtin_prefetch(frame.image + frame.image_bytes - 1);
}

// A walk copies every record of the block. The processor's own prefetching ends at each page of
// memory, so the first page is asked for in full; in a larger block it has time to catch up.
void PrefetchForWalk(const Frame& frame) {
  constexpr uint32_t kCacheLineBytes = 64;
  constexpr uint32_t kPageBytes = 4096;
  const uint32_t bytes = std::min(frame.image_bytes, kPageBytes);
  for (uint32_t at = 0; at < bytes; at += kCacheLineBytes) {
    __builtin_prefetch(frame.image + at, /*rw=*/0, /*locality=*/2);
  }
  PrefetchEnds(frame);
}

}  // namespace

Frame* BlockCache::Body::ObtainFor(const CachedFile& file, BlockUse use) {
  if (use == BlockUse::kIndex && file.lookaside == Lookaside::kFreeze) {
    if (Frame* frame = table.ObtainFrozen(file.image_bytes)) return frame;
  }
  return table.Obtain(file.image_bytes);
}

absl::StatusOr<Frame*> BlockCache::Body::Fetch(const CachedFile& file, BlockNumber block,
                                               BlockUse use) {
  Frame* frame = ObtainFor(file, use);
  if (frame == nullptr) return NoFrameFree(file.image_bytes);
  if (use == BlockUse::kIndex) ++index_reads;
  const ActivityScope activity(Activity::kStore);
  const absl::Status status =
      store->ReadBlock(file.id, block, absl::MakeSpan(frame->image, frame->image_bytes));
  if (!status.ok()) {
    table.Return(frame);
    return status;
  }
  table.Enter(frame, file.id, block, use);
  return frame;
}

absl::StatusOr<Frame*> BlockCache::Body::ReadIndex(const CachedFile& file, BlockNumber block,
                                                   BlockCalls& calls) {
  Frame* frame = table.Find(file.id, block);
  if (frame == nullptr) {
    ++calls.cache_read_misses;
    return Fetch(file, block, BlockUse::kIndex);
  }
  ++calls.cache_hits;
  PrefetchEnds(*frame);
  table.Touch(frame, BlockUse::kIndex);
  table.Pin(frame);
  if (file.lookaside == Lookaside::kFreeze && !frame->freeze) table.WantFrozen(frame);
  return frame;
}

absl::StatusOr<Frame*> BlockCache::Body::ReadLookaside(const CachedFile& file, BlockNumber block,
                                                       BlockUse use, BlockCalls& calls) {
  if (use == BlockUse::kIndex) return ReadIndex(file, block, calls);
  if (Frame* found = table.Find(file.id, block)) {
    DataKeeping::Fetch fetch = keeping.BeginHit(file.image_bytes, use);
    ++calls.cache_hits;
    PrefetchEnds(*found);
    table.Touch(found, use);
    table.Pin(found);
    keeping.Hit(fetch, absl::MakeConstSpan(found->image, found->image_bytes));
    found->bypass = !fetch.keep;
    return found;
  }
  ++calls.cache_read_misses;
  const DataKeeping::Fetch fetch = keeping.BeginMiss(file.image_bytes, use);
  const bool evicting = !table.HasFree(file.image_bytes);
  const BlockUse first_use = use == BlockUse::kData ? BlockUse::kProbation : use;
  absl::StatusOr<Frame*> frame = Fetch(file, block, first_use);
  if (!frame.ok()) return frame;
  (*frame)->bypass = !fetch.keep;
  keeping.Missed(fetch, evicting);
  return frame;
}

BlockCache::BlockCache(BlockStore* store, const CacheOptions& options)
    : body_(std::make_unique<Body>(store, options)) {}

BlockCache::~BlockCache() = default;

absl::StatusOr<Pin> BlockCache::Read(const CachedFile& file, BlockNumber block, BlockUse use,
                                     BlockCalls& calls) {
  const ActivityScope activity(Activity::kCache);
  ++calls.driver_input_calls;
  if (file.lookaside != Lookaside::kOff) {
    absl::StatusOr<Frame*> frame = body_->ReadLookaside(file, block, use, calls);
    if (!frame.ok()) return frame.status();
    return Pin(*frame);
  }
  if (Frame* frame = body_->table.Find(file.id, block)) {
    ++calls.cache_hits;
    PrefetchEnds(*frame);
    body_->table.Touch(frame, use);
    body_->table.Pin(frame);
    return Pin(frame);
  }
  ++calls.cache_read_misses;
  absl::StatusOr<Frame*> frame = body_->Fetch(file, block, use);
  if (!frame.ok()) return frame.status();
  return Pin(*frame);
}

absl::StatusOr<Pin> BlockCache::FetchForWrite(const CachedFile& file, BlockNumber block,
                                              BlockUse use) {
  const ActivityScope activity(Activity::kCache);
  if (Frame* frame = body_->table.Find(file.id, block)) {
    PrefetchEnds(*frame);
    body_->table.Touch(frame, use);
    body_->table.Pin(frame);
    return Pin(frame);
  }
  absl::StatusOr<Frame*> frame = body_->Fetch(file, block, use);
  if (!frame.ok()) return frame.status();
  (*frame)->absent = true;
  return Pin(*frame);
}

absl::StatusOr<absl::Span<const char>> BlockCache::Look(const CachedFile& file, BlockNumber block,
                                                        absl::Span<char> scratch) const {
  if (const Frame* frame = body_->table.Find(file.id, block)) {
    return absl::MakeConstSpan(frame->image, frame->image_bytes);
  }
  if (absl::Status s = body_->store->ReadBlock(file.id, block, scratch); !s.ok()) return s;
  return absl::Span<const char>(scratch);
}

bool BlockCache::Holds(const CachedFile& file, BlockNumber block) const {
  return body_->table.Find(file.id, block) != nullptr;
}

absl::StatusOr<Pin> BlockCache::Create(const CachedFile& file, BlockNumber block, BlockUse use,
                                       BlockCalls& calls) {
  const ActivityScope activity(Activity::kCache);
  if (Frame* left = body_->table.Find(file.id, block)) {
    QUIRE_CHECK(left->pins == 0);
    body_->table.Drop(left);
  }
  Frame* frame = body_->table.Obtain(file.image_bytes);
  if (frame == nullptr) return NoFrameFree(file.image_bytes);
  ++calls.driver_input_calls;
  ++calls.cache_hits;
  std::memset(frame->image, 0, frame->image_bytes);
  frame->created = true;
  body_->table.Enter(frame, file.id, block, use);
  return Pin(frame);
}

absl::Span<char> BlockCache::BeginWrite(const CachedFile& file, Pin& pin, BlockCalls& calls) {
  const ActivityScope activity(Activity::kCache);
  Frame* frame = pin.frame_;
  QUIRE_CHECK(frame != nullptr && frame->file == file.id && !frame->discarded);
  ++calls.driver_output_calls;
  ++body_->change_calls;
  if (frame->created || frame->logically_dirty) {
    ++calls.cache_write_hits;
  } else if (frame->absent) {
    ++calls.cache_write_misses;
  } else {
    ++calls.cache_write_cleans;
  }
  frame->absent = false;
  frame->logically_dirty = !file.write_through;
  const bool has_room = body_->table.Change(frame);
  QUIRE_CHECK(has_room);  // HasRoomFor was not asked
  if (file.write_through) body_->table.AddToBatch(frame);
  return absl::MakeSpan(frame->image, frame->image_bytes);
}

void BlockCache::Expect(const CachedFile& file, BlockNumber block) const {
  if (const Frame* frame = body_->table.Find(file.id, block)) PrefetchForWalk(*frame);
}

bool BlockCache::HasRoomFor(const CachedFile& file, uint32_t blocks) {
  return body_->table.Room(file.image_bytes) >= blocks;
}

void BlockCache::Discard(const CachedFile& file, BlockNumber block) {
  ++body_->change_calls;
  if (Frame* frame = body_->table.Find(file.id, block)) body_->table.Drop(frame);
}

void BlockCache::Unfreeze(FileId file) {
  body_->table.Unfreeze(file);
}

LookasideFigures BlockCache::LookasideSoFar() const {
  LookasideFigures figures = body_->keeping.Figures();
  figures.index_reads = body_->index_reads;
  for (const auto& pool : body_->table.frozen().pools()) {
    figures.frozen_blocks += pool->images - pool->free_images.size();
  }
  figures.frozen_bytes = body_->table.frozen().taken_bytes();
  return figures;
}

void BlockCache::DropFile(FileId file) {
  ++body_->change_calls;
  body_->table.DropFile(file);
}

uint64_t BlockCache::change_calls() const {
  return body_->change_calls;
}

void BlockCache::TakeBatch(
    absl::FunctionRef<void(FileId, BlockNumber, absl::Span<const char>)> visit) {
  body_->table.TakeBatch(visit);
}

uint64_t BlockCache::batch_blocks() const {
  return body_->table.batch_blocks();
}
uint64_t BlockCache::batch_bytes() const {
  return body_->table.batch_bytes();
}

absl::Status BlockCache::Place(const CachedFile& file, BlockNumber block,
                               absl::Span<const char> image) {
  if (image.size() != file.image_bytes) {
    return ReplayedImageSize(file.id, block, image.size(), file.image_bytes);
  }
  FrameTable& table = body_->table;
  Frame* frame = table.Find(file.id, block);
  if (frame != nullptr) {
    table.Pin(frame);
  } else {
    frame = table.Obtain(file.image_bytes);
    if (frame == nullptr) return NoFrameFree(file.image_bytes);
    frame->created = true;
    table.Enter(frame, file.id, block, BlockUse::kData);
  }
  const Pin pin(frame);
  if (!table.Change(frame)) return NoFrameFree(file.image_bytes);
  std::memcpy(frame->image, image.data(), image.size());
  return absl::OkStatus();
}

FlushList BlockCache::BeginFlush() {
  return body_->table.BeginFlush();
}

void BlockCache::EndFlush(FlushList list, bool committed) {
  body_->table.EndFlush(list, committed);
}

uint64_t BlockCache::dirty_blocks() const {
  return body_->table.dirty_blocks();
}
uint64_t BlockCache::dirty_bytes() const {
  return body_->table.dirty_bytes();
}
uint64_t BlockCache::memory_bytes() const {
  return body_->table.memory().taken_bytes() + body_->table.frozen().taken_bytes();
}

uint64_t BlockCache::blocks_in_use(uint32_t image_bytes) const {
  const FramePool* pool = body_->table.memory().FindPool(image_bytes);
  return pool == nullptr ? 0 : pool->images - pool->free_images.size();
}

void BlockCache::CheckBooks() const {
  body_->table.CheckBooks();
}

}  // namespace quire
