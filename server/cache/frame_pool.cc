#include "server/cache/frame_pool.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "quire/limits.h"
#include "server/base/check.h"

namespace quire {
namespace {

constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;
constexpr uint64_t kCacheLineBytes = 64;
// A small cache is still divided into so many chunks, so that files of different block sizes can
// share it.
constexpr uint64_t kChunksWanted = 16;

// A power of two, so that the chunk of an image is found by a shift. 0: no memory at all.
uint64_t ChunkBytes(const CacheOptions& options) {
  uint64_t bytes = options.chunk_bytes;
  if (bytes == 0) {
    bytes = std::clamp<uint64_t>(options.bytes / kChunksWanted, kMaxBlockBytes, kHugePageBytes);
  }
  bytes = std::bit_floor(std::min(bytes, options.bytes));
  return bytes < kCacheLineBytes ? 0 : bytes;
}

void Poison([[maybe_unused]] char* image, [[maybe_unused]] uint32_t bytes) {
#ifdef QUIRE_CHECKED
  std::memset(image, 0xDB, bytes);  // whoever still looks at a freed image shall notice
#endif
}

}  // namespace

FrameMemory::FrameMemory(const CacheOptions& options, FrameTable* table)
    : table_(table), chunk_bytes_(ChunkBytes(options)) {
  if (chunk_bytes_ == 0) return;
  const uint64_t count = options.bytes / chunk_bytes_;
  // The kernel grants huge pages only at their own boundaries.
  const uint64_t alignment = chunk_bytes_ < kHugePageBytes ? kCacheLineBytes : kHugePageBytes;
  memory_ = HugeMemory(count * chunk_bytes_ + alignment);
  if (memory_.data() == nullptr) return;  // no chunks: every request for a frame is answered 31
  void* start = memory_.data();
  uint64_t space = memory_.size();
  base_ = static_cast<char*>(std::align(alignment, count * chunk_bytes_, start, space));
  chunk_shift_ = static_cast<uint32_t>(std::countr_zero(chunk_bytes_));
  chunks_.resize(count);
}

FramePool& FrameMemory::PoolOf(uint32_t image_bytes) {
  for (const auto& pool : pools_) {
    if (pool->image_bytes == image_bytes) return *pool;
  }
  auto pool = std::make_unique<FramePool>();
  pool->table = table_;
  pool->memory = this;
  pool->image_bytes = image_bytes;
  pool->stride_bytes = static_cast<uint32_t>((image_bytes + kCacheLineBytes - 1) / kCacheLineBytes *
                                             kCacheLineBytes);
  QUIRE_CHECK(pool->stride_bytes != 0);
  pool->images_per_chunk = static_cast<uint32_t>(chunk_bytes_ / pool->stride_bytes);
  pools_.push_back(std::move(pool));
  return *pools_.back();
}

const FramePool* FrameMemory::FindPool(uint32_t image_bytes) const {
  for (const auto& pool : pools_) {
    if (pool->image_bytes == image_bytes) return pool.get();
  }
  return nullptr;
}

char* FrameMemory::TakeFree(FramePool& pool, Frame* owner) {
  if (pool.free_images.empty() && taken_chunks_ < chunks_.size() && pool.images_per_chunk > 0) {
    Cut(taken_chunks_++, pool);
  }
  if (pool.free_images.empty()) return nullptr;
  char* image = pool.free_images.back();
  pool.free_images.pop_back();
  QUIRE_CHECK(OwnerOf(pool, image) == nullptr);
  OwnerOf(pool, image) = owner;
  MarkBusy(pool, image);
  return image;
}

void FrameMemory::Free(FramePool& pool, char* image) {
  Frame*& owner = OwnerOf(pool, image);
  QUIRE_CHECK(owner != nullptr);  // else it is free already
  owner = nullptr;
  Poison(image, pool.stride_bytes);
  pool.free_images.push_back(image);
  MarkIdle(pool, image);
}

uint64_t FrameMemory::Room(const FramePool& pool) const {
  uint64_t chunks = chunks_.size() - taken_chunks_;
  for (const auto& other : pools_) {
    if (other.get() != &pool) chunks += other->idle_chunks;
  }
  return pool.images - pool.busy_images + chunks * pool.images_per_chunk;
}

std::optional<uint32_t> FrameMemory::FindIdleChunk(const FramePool& pool,
                                                   bool of_richer_pool) const {
  std::optional<uint32_t> found;
  if (pool.images_per_chunk == 0) return found;
  for (uint32_t i = 0; i < taken_chunks_; ++i) {
    const FramePool& owner = *chunks_[i].pool;
    if (&owner == &pool || chunks_[i].busy_images > 0) continue;
    if (of_richer_pool && owner.chunks <= pool.chunks + 1) continue;
    if (!found || owner.chunks > chunks_[*found].pool->chunks) found = i;
  }
  return found;
}

std::vector<Frame*> FrameMemory::FramesOf(uint32_t chunk) const {
  std::vector<Frame*> frames;
  for (Frame* owner : chunks_[chunk].owners) {
    if (owner != nullptr) frames.push_back(owner);
  }
  return frames;
}

void FrameMemory::GiveChunk(uint32_t chunk, FramePool& to) {
  FramePool& from = *chunks_[chunk].pool;
  QUIRE_CHECK(&from != &to && FramesOf(chunk).empty());
  std::erase_if(from.free_images, [&](const char* image) { return ChunkOf(image) == chunk; });
  from.images -= from.images_per_chunk;
  --from.chunks;
  --from.idle_chunks;
  Cut(chunk, to);
}

void FrameMemory::CheckBooks() const {
  for (const auto& pool : pools_) {
    uint64_t chunks = 0;
    uint64_t idle_chunks = 0;
    uint64_t busy = 0;
    uint64_t free = 0;
    for (uint32_t i = 0; i < taken_chunks_; ++i) {
      const Chunk& chunk = chunks_[i];
      if (chunk.pool != pool.get()) continue;
      uint32_t busy_here = 0;
      for (uint32_t slot = 0; slot < chunk.owners.size(); ++slot) {
        const Frame* owner = chunk.owners[slot];
        if (owner == nullptr) {
          ++free;
          continue;
        }
        const char* image = base_ + i * chunk_bytes_ + uint64_t{slot} * pool->stride_bytes;
        const bool idle = owner->image == image && owner->Resting() && owner->pins == 0;
        busy_here += idle ? 0 : 1;
      }
      QUIRE_CHECK(busy_here == chunk.busy_images);
      busy += busy_here;
      ++chunks;
      idle_chunks += busy_here == 0 ? 1 : 0;
    }
    QUIRE_CHECK(chunks == pool->chunks && idle_chunks == pool->idle_chunks);
    QUIRE_CHECK(busy == pool->busy_images && free == pool->free_images.size());
    QUIRE_CHECK(pool->images == chunks * pool->images_per_chunk);
  }
}

Frame*& FrameMemory::OwnerOf(const FramePool& pool, const char* image) {
  const auto offset = static_cast<uint64_t>(image - base_) & (chunk_bytes_ - 1);
  return chunks_[ChunkOf(image)].owners[offset / pool.stride_bytes];
}

void FrameMemory::Cut(uint32_t chunk, FramePool& pool) {
  chunks_[chunk].pool = &pool;
  chunks_[chunk].owners.assign(pool.images_per_chunk, nullptr);
  pool.images += pool.images_per_chunk;
  ++pool.chunks;
  ++pool.idle_chunks;
  char* start = base_ + chunk * chunk_bytes_;
  // Backwards: the free images are a stack, and memory is best first touched in rising order.
  for (uint32_t i = pool.images_per_chunk; i-- > 0;) {
    pool.free_images.push_back(start + uint64_t{i} * pool.stride_bytes);
  }
}

}  // namespace quire
