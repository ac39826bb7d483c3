// The memory of the cache: chunks of address space, each cut into images of one size.
//
// Chunks are taken as needed and kept. A chunk belongs to one pool at a time; when none of its
// images is busy it can be given to another.
//
// An image's memory is free, idle (it holds a block that could be evicted) or busy (everything
// else: pinned, dirty, being flushed, being filled). The counts of busy images, per pool and chunk,
// answer at once how much room there is.
#ifndef QUIRE_SERVER_CACHE_FRAME_POOL_H_
#define QUIRE_SERVER_CACHE_FRAME_POOL_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "server/base/huge_memory.h"
#include "server/cache/block_cache.h"
#include "server/cache/frame.h"
#include "server/cache/replacer.h"

namespace quire {

class FrameTable;

class FrameMemory;

// The images of one size. Written by FrameMemory; `replacer`, `evictions` and `entries` by
// FrameTable.
struct FramePool {
  FrameTable* table = nullptr;
  FrameMemory* memory = nullptr;  // that it is of
  uint32_t image_bytes = 0;
  uint32_t stride_bytes = 0;      // image_bytes, up to whole cache lines
  uint32_t images_per_chunk = 0;  // 0: a chunk is too small for one
  uint64_t images = 0;
  uint64_t busy_images = 0;
  uint64_t chunks = 0;
  uint64_t idle_chunks = 0;  // without a busy image
  std::vector<char*> free_images;
  Replacer replacer;
  uint64_t evictions = 0;  // since this pool last asked for a fairer share
  uint32_t entries = 0;    // blocks that came on probation, ever; wraps around
};

class FrameMemory {
 public:
  // `table` stands in every pool, for the pins.
  FrameMemory(const CacheOptions& options, FrameTable* table);

  // Made at need; stays at its address.
  FramePool& PoolOf(uint32_t image_bytes);
  const FramePool* FindPool(uint32_t image_bytes) const;  // nullptr: never asked for

  // Memory for an image, busy, for `owner`: a free one, or one of a chunk not taken yet. nullptr
  // when there is neither.
  char* TakeFree(FramePool& pool, Frame* owner);
  // Busy becomes free. Freeing twice stops the process.
  void Free(FramePool& pool, char* image);
  void MarkBusy(FramePool& pool, const char* image) {
    ++pool.busy_images;
    if (chunks_[ChunkOf(image)].busy_images++ == 0) --pool.idle_chunks;
  }
  void MarkIdle(FramePool& pool, const char* image) {
    --pool.busy_images;
    if (--chunks_[ChunkOf(image)].busy_images == 0) ++pool.idle_chunks;
  }
  // How many images of this pool can be had, by evicting what is idle here and taking idle chunks
  // of other pools.
  uint64_t Room(const FramePool& pool) const;

  // An idle chunk of another pool, the one with most memory first; with `of_richer_pool` only of a
  // pool that has more chunks than this one would then have.
  std::optional<uint32_t> FindIdleChunk(const FramePool& pool, bool of_richer_pool) const;
  // The frames whose blocks are in a chunk.
  std::vector<Frame*> FramesOf(uint32_t chunk) const;
  // All images of the chunk must be free.
  void GiveChunk(uint32_t chunk, FramePool& to);

  // Whether TakeFree finds an image.
  bool HasFree(const FramePool& pool) const {
    return !pool.free_images.empty() ||
           (taken_chunks_ < chunks_.size() && pool.images_per_chunk > 0);
  }
  // Whether an image lies in this memory.
  bool Holds(const char* image) const {
    return image >= base_ && image < base_ + chunks_.size() * chunk_bytes_;
  }

  // Recounts; stops the process when the counts do not agree.
  void CheckBooks() const;

  uint64_t taken_bytes() const { return taken_chunks_ * chunk_bytes_; }
  const std::vector<std::unique_ptr<FramePool>>& pools() const { return pools_; }

 private:
  struct Chunk {
    FramePool* pool = nullptr;  // nullptr: not taken yet
    uint32_t busy_images = 0;
    std::vector<Frame*> owners;  // by position in the chunk; nullptr: free
  };

  uint32_t ChunkOf(const char* image) const {
    return static_cast<uint32_t>(static_cast<uint64_t>(image - base_) >> chunk_shift_);
  }
  Frame*& OwnerOf(const FramePool& pool, const char* image);
  void Cut(uint32_t chunk, FramePool& pool);

  FrameTable* table_;
  HugeMemory memory_;
  char* base_ = nullptr;  // first chunk
  uint64_t chunk_bytes_ = 0;
  uint32_t chunk_shift_ = 0;
  uint32_t taken_chunks_ = 0;  // the first so many of chunks_
  std::vector<Chunk> chunks_;
  std::vector<std::unique_ptr<FramePool>> pools_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_FRAME_POOL_H_
