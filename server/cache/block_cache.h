// The volume's cache of block frames: pins, replacement, dirty set, copy-on-flush.
//
// Threads: the disc process role only, except that the control-point writer reads the images of a
// FlushList between BeginFlush and EndFlush; those images do not change in that time (a block
// changed meanwhile gets a copy).
//
// Dirty frames are never evicted. Index blocks outlive data blocks, and one long scan does not
// empty the cache (replacer.h). Memory comes in chunks on huge pages and is kept; its sum never
// exceeds CacheOptions::bytes, copies made during a flush included (frame_pool.h); frozen blocks
// have CacheOptions::frozen_bytes beside it.
//
// What a write call counts as depends on the block's logical state, kept apart from whether its
// bytes are on disc (R-C1): a write call leaves a block of a write-through file logically clean, a
// block of a BUFFERED file logically dirty until a flush that holds its last change has ended well.
#ifndef QUIRE_SERVER_CACHE_BLOCK_CACHE_H_
#define QUIRE_SERVER_CACHE_BLOCK_CACHE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "quire/attributes.h"
#include "server/base/ids.h"
#include "server/counters/block_calls.h"
#include "server/store/block_store.h"

namespace quire {

struct Frame;  // frame.h

// What the cache must know of a file. Owned by the file's entry in the catalog; the cache keeps no
// reference to it.
struct CachedFile {
  FileId id = 0;
  uint32_t image_bytes = 0;
  bool write_through = true;  // false: BUFFERED or audited
  Lookaside lookaside = Lookaside::kOff;
};

// Holds one block in the cache. Move-only; released in the destructor. The cache must outlive it
// (a cache destroyed with live pins stops the process). A block may have several pins; image() of
// each is the newest image, also after a copy made for a flush.
class Pin {
 public:
  Pin() = default;
  Pin(Pin&& other) noexcept;
  Pin& operator=(Pin&& other) noexcept;
  ~Pin();
  explicit operator bool() const { return frame_ != nullptr; }
  BlockNumber block() const;
  absl::Span<const char> image() const;
  void Release();

 private:
  friend class BlockCache;
  explicit Pin(Frame* frame);
  Frame* frame_ = nullptr;
};

enum class BlockUse : uint8_t {
  kIndex,  // index and bitmap blocks: kept longest
  kData,
  kProbation,  // the cache's own: data of a file with LOOKASIDE, read once so far
  kScanned,    // data read by a long scan: first to go
};

// Whether data blocks of files with LOOKASIDE are kept. All but kMeasured are for benchmarks.
enum class KeepData : uint8_t { kMeasured, kAlways, kNever };

struct CacheOptions {
  uint64_t bytes = 0;         // of frame memory
  uint64_t chunk_bytes = 0;   // down to a power of two; 0: 2 MiB, less for small caches
  uint64_t frozen_bytes = 0;  // more, for the index blocks of files with LOOKASIDE FREEZE

  KeepData data_keeping = KeepData::kMeasured;
  std::function<int64_t()> nanoseconds = nullptr;  // tests: another clock for what fetches cost
  // Benchmarks: called when a data block of a file with LOOKASIDE is found in the cache.
  std::function<void(absl::Span<const char> image)> before_cached_use = nullptr;
};

// What look-aside has done since the cache was made.
struct LookasideFigures {
  uint64_t frozen_blocks = 0;  // now
  uint64_t frozen_bytes = 0;   // memory taken for them; kept when they go
  int64_t index_reads = 0;     // index and bitmap blocks read from the store, of all files
  int64_t kept = 0;            // data blocks read from the store and kept
  int64_t bypassed = 0;        // and not kept
  int64_t decisions = 0;       // to stop or to resume keeping data blocks of a size
  int64_t cached_samples = 0;  // fetches measured that found their block
  int64_t cached_sample_ns = 0;
  int64_t store_samples = 0;  // and that did not
  int64_t store_sample_ns = 0;
};

// The dirty blocks at a cut, in order of first change.
struct FlushList {
  std::vector<BlockWrite> blocks;
  std::vector<Frame*> frames;  // the cache's own
  uint64_t bytes = 0;
};

class BlockCache {
 public:
  BlockCache(BlockStore* store, const CacheOptions& options);
  ~BlockCache();
  BlockCache(const BlockCache&) = delete;
  BlockCache& operator=(const BlockCache&) = delete;

  // A read call: counts it, also when it fails. 59 when the block does not check; 31 when every
  // frame is dirty or pinned.
  absl::StatusOr<Pin> Read(const CachedFile& file, BlockNumber block, BlockUse use,
                           BlockCalls& calls);
  // The block will soon be read record by record: its first 4,096 bytes and its slots are on their
  // way from memory, if it is in the cache. Counts and keeps nothing.
  void Expect(const CachedFile& file, BlockNumber block) const;
  // The block for a change to come: no call is counted yet. When it was absent, the first
  // BeginWrite while it is pinned counts a write miss. Errors as Read.
  absl::StatusOr<Pin> FetchForWrite(const CachedFile& file, BlockNumber block, BlockUse use);
  // A look at a block that counts nothing and leaves the cache as it is: its image where it is
  // held, else as the store has it, read into `scratch`, which is as long as an image. The view is
  // valid until the cache is next changed. 59, 66.
  absl::StatusOr<absl::Span<const char>> Look(const CachedFile& file, BlockNumber block,
                                              absl::Span<char> scratch) const;
  bool Holds(const CachedFile& file, BlockNumber block) const;
  // A block newly added to the file, zeroed: counts a read call (a hit: it needs no fetch); the
  // next BeginWrite counts a write hit. A block of that number left from before is dropped; it must
  // not be pinned. A created block not written to goes with its last pin. 31, nothing counted.
  absl::StatusOr<Pin> Create(const CachedFile& file, BlockNumber block, BlockUse use,
                             BlockCalls& calls);

  // A write call: classifies and counts it, marks the block dirty and part of the current batch
  // (write-through files), and returns its bytes to change. Call before changing; the bytes may
  // move (copy-on-flush), so earlier image() views of this block are stale. Takes room for a copy
  // at need: HasRoomFor must have been asked before the operation's first change.
  absl::Span<char> BeginWrite(const CachedFile& file, Pin& pin, BlockCalls& calls);
  // Calls so far that changed a block or gave one up: BeginWrite, Discard, DropFile.
  uint64_t change_calls() const;
  // Whether `blocks` blocks of this file can be created, copied or fetched without failing. What is
  // not in the cache when asked takes from this room when fetched: ask with everything pinned, or
  // count the fetches in.
  bool HasRoomFor(const CachedFile& file, uint32_t blocks);

  // The block is free now: its bytes no longer matter and need not be written. Its pins may still
  // be read; BeginWrite on them stops the process.
  void Discard(const CachedFile& file, BlockNumber block);
  // All blocks of a purged file. None may be pinned.
  void DropFile(FileId file);

  // Write-through blocks changed since the last call, each once, in order of first change; then a
  // new batch begins. `visit` must not call the cache.
  void TakeBatch(absl::FunctionRef<void(FileId, BlockNumber, absl::Span<const char>)> visit);
  uint64_t batch_blocks() const;
  uint64_t batch_bytes() const;

  // Frozen blocks of the file come under ordinary replacement.
  void Unfreeze(FileId file);
  LookasideFigures LookasideSoFar() const;

  // Recovery: puts a replayed image in place, dirty. 31 when there is no room (flush, then again).
  absl::Status Place(const CachedFile& file, BlockNumber block, absl::Span<const char> image);

  // The cut of a control point: every dirty block. One flush at a time.
  FlushList BeginFlush();
  // committed: the blocks are on disc (call after the store's snapshot is renewed); those not
  // changed since are clean. Otherwise they are dirty as before.
  void EndFlush(FlushList list, bool committed);

  // Dirty images now: blocks changed since the last cut, and the images of a flush under way (a
  // block changed during the flush counts twice, as it takes memory twice).
  uint64_t dirty_blocks() const;
  uint64_t dirty_bytes() const;
  uint64_t memory_bytes() const;  // taken so far
  // Images held, copies included.
  uint64_t blocks_in_use(uint32_t image_bytes) const;

  // For tests: recounts all books and stops the process when they do not agree. O(cache).
  void CheckBooks() const;

 private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_BLOCK_CACHE_H_
