// How many LMDB pages a control point may need, and whether they are there (R-D8).
//
// Pure arithmetic on figures that LmdbStore reads from LMDB; the sources are LMDB's page layout:
// 4,096-byte pages with a 16-byte header, leaf nodes of at most 2,038 bytes, larger values on
// overflow pages of their own, copy on write of every page from the root down.
#ifndef QUIRE_SERVER_STORE_STORE_ROOM_H_
#define QUIRE_SERVER_STORE_STORE_ROOM_H_

#include <cstdint>

#include "absl/types/span.h"

namespace quire {

inline constexpr uint32_t kStorePageBytes = 4096;  // R-D14
// Largest image on one page: BLOCK 4096 (R-B1).
inline constexpr uint32_t kSinglePageImageBytes = 4080;
// Pages of the largest image, BLOCK 32768, side by side in the file.
inline constexpr uint32_t kLargeImagePages = 8;
// Least capacity: an empty environment and the reserve.
inline constexpr uint64_t kLeastCapacityBytes = uint64_t{1} << 20;

// Free pages that the next write transaction may use.
struct FreePages {
  uint64_t pages = 0;
  uint64_t large_runs = 0;   // disjoint runs of kLargeImagePages
  uint64_t longest_run = 0;  // pages side by side

  // Adds one record of LMDB's free list. Page numbers are as LMDB keeps them: descending.
  void Add(absl::Span<const uint64_t> page_numbers);
};

// The store as of a snapshot.
struct StoreShape {
  uint64_t map_pages = 0;   // capacity
  uint64_t used_pages = 0;  // of the file: one above the last page ever used
  uint64_t leaf_pages = 0;  // of the blocks database
  uint64_t branch_pages = 0;
  bool large_images = false;  // images of more than one page are known to be stored
  FreePages free;             // left zero while the rest of the map is enough
};

// Pages of one control point, an upper bound for any mixture of block sizes.
struct PageNeed {
  uint64_t pages = 0;       // all of them
  uint64_t free_list = 0;   // of these: the record of freed pages, which must lie side by side
  uint64_t large_runs = 0;  // of these: images that need kLargeImagePages side by side
};

PageNeed PagesOfControlPoint(const StoreShape& shape, uint64_t dirty_blocks, uint64_t dirty_bytes);

// Pages kept back from changing requests so that control points that only purge, and labels and
// meta values, find room on a volume that is otherwise full.
uint64_t ReservePages(const StoreShape& shape);

// True when `need` fits the map beside the reserve.
bool Fits(const StoreShape& shape, const PageNeed& need);

}  // namespace quire

#endif  // QUIRE_SERVER_STORE_STORE_ROOM_H_
