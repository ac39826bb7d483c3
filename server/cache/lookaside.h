// What the cache does for data blocks of files with LOOKASIDE (quire/attributes.h) beyond finding
// them: one KeepPolicy per block size, fed with what fetches cost, and the figures of it.
//
// Threads: the disc process role.
#ifndef QUIRE_SERVER_CACHE_LOOKASIDE_H_
#define QUIRE_SERVER_CACHE_LOOKASIDE_H_

#include <cstdint>
#include <map>

#include "absl/types/span.h"
#include "server/cache/block_cache.h"
#include "server/cache/keep_policy.h"

namespace quire {

class DataKeeping {
 public:
  explicit DataKeeping(const CacheOptions& options) : options_(options) {}

  // One fetch of a data block: whether it was found is known, what it costs from here on is
  // measured.
  struct Fetch {
    KeepPolicy* policy = nullptr;
    int64_t started_ns = 0;
    bool sampled = false;
    bool counted = false;  // a scan's fetches do not count: its blocks leave first anyway
    bool keep = true;      // whether the block is to stay
  };
  Fetch BeginHit(uint32_t image_bytes, BlockUse use);
  // The block can be used.
  void Hit(Fetch& fetch, absl::Span<const char> image);
  Fetch BeginMiss(uint32_t image_bytes, BlockUse use);
  // The block was read. `evicting`: the cache had no memory left but that of other blocks.
  void Missed(const Fetch& fetch, bool evicting);

  // Of all sizes together; the blocks frozen and the index reads are the cache's to add.
  LookasideFigures Figures() const;

 private:
  int64_t Now() const;
  // Keeping() as the options have it.
  bool Keeping(const KeepPolicy& policy) const;
  Fetch Begin(uint32_t image_bytes, BlockUse use);

  const CacheOptions options_;
  std::map<uint32_t, KeepPolicy> policies_;  // by image size
  LookasideFigures figures_;
};

}  // namespace quire

#endif  // QUIRE_SERVER_CACHE_LOOKASIDE_H_
