#include "server/store/store_room.h"

#include <algorithm>

namespace quire {
namespace {

// Sizes of the smallest and the largest image: BLOCK 512 and BLOCK 32768.
constexpr uint64_t kSmallestImageBytes = 496;
constexpr uint64_t kLargestImageBytes = 32752;

// A leaf holds 136 nodes of 30 bytes (block key, page number, slot), a branch 185 of 22; a split
// leaves half of that. Rounded down, as the bound is an upper one.
constexpr uint64_t kNodesOfHalfPage = 64;

// Page numbers in a page of the free list: 8 bytes each, less headers.
constexpr uint64_t kNumbersPerPage = 500;

// One purge slice of 20,000 large blocks frees 160,000 pages: 320 pages of free list and as many
// leaves; the rest is for labels and meta values.
constexpr uint64_t kMostReservePages = 1024;

uint64_t RoundedUp(uint64_t dividend, uint64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// With x large images and y of one page or less: bytes >= 32,752 x + 496 y. This is the largest x.
uint64_t MostLargeImages(uint64_t blocks, uint64_t bytes) {
  const uint64_t least = blocks * kSmallestImageBytes;
  if (bytes <= least) return 0;
  return std::min(blocks, RoundedUp(bytes - least, kLargestImageBytes - kSmallestImageBytes));
}

}  // namespace

void FreePages::Add(absl::Span<const uint64_t> page_numbers) {
  pages += page_numbers.size();
  for (size_t start = 0; start < page_numbers.size();) {
    size_t end = start + 1;
    while (end < page_numbers.size() && page_numbers[end] + 1 == page_numbers[end - 1]) ++end;
    large_runs += (end - start) / kLargeImagePages;
    longest_run = std::max<uint64_t>(longest_run, end - start);
    start = end;
  }
}

PageNeed PagesOfControlPoint(const StoreShape& shape, uint64_t dirty_blocks, uint64_t dirty_bytes) {
  const uint64_t large = MostLargeImages(dirty_blocks, dirty_bytes);
  // Images small enough to lie inside a leaf are counted with a page too: they may each split one.
  const uint64_t images = dirty_blocks + (kLargeImagePages - 1) * large;
  // Every leaf on the way is copied and may split once; beyond that a split needs half a page of
  // new nodes.
  const uint64_t leaves =
      std::min(2 * dirty_blocks, 2 * shape.leaf_pages + dirty_blocks / kNodesOfHalfPage + 2);
  const uint64_t branches =
      2 * std::min(leaves, shape.branch_pages) + leaves / kNodesOfHalfPage + 8;
  PageNeed need;
  // What is copied leaves its old page behind; numbers read from older records are written back.
  const uint64_t freed = images + leaves + branches + shape.free.pages;
  need.free_list = RoundedUp(freed, kNumbersPerPage) + 1;
  need.pages = images + leaves + branches + 2 * need.free_list + 8;
  const bool has_large =
      shape.large_images || dirty_bytes > dirty_blocks * uint64_t{kSinglePageImageBytes};
  need.large_runs = has_large ? large : 0;
  return need;
}

uint64_t ReservePages(const StoreShape& shape) {
  return std::min(kMostReservePages, shape.map_pages / 8);
}

bool Fits(const StoreShape& shape, const PageNeed& need) {
  const uint64_t unused = shape.map_pages - std::min(shape.map_pages, shape.used_pages);
  const uint64_t wanted = need.pages + ReservePages(shape);
  if (wanted <= unused) return true;
  // From here on freed pages must help. Those that have to lie side by side come from the end of
  // the file or from runs that single pages cannot break.
  if (need.free_list > unused && 2 * need.free_list > shape.free.longest_run) return false;
  if (need.large_runs == 0) return wanted <= unused + shape.free.pages;
  const uint64_t single_pages = need.pages - need.large_runs * kLargeImagePages;
  const uint64_t whole_runs = shape.free.large_runs - std::min(shape.free.large_runs, single_pages);
  return wanted <= unused + whole_runs * kLargeImagePages;
}

}  // namespace quire
