// The bits of a bitmap block (layout: block_layout.h). Block numbers are those of the file.
#ifndef QUIRE_SERVER_BTREE_BITMAP_H_
#define QUIRE_SERVER_BTREE_BITMAP_H_

#include <cstdint>

#include "absl/types/span.h"
#include "server/base/ids.h"

namespace quire {

// Marks every block the bitmap covers as free. The header must be in place.
void SetAllFree(absl::Span<char> image);

// `block` must be one that the bitmap in `image` covers.
bool IsFree(absl::Span<const char> image, BlockNumber block);
void SetFree(absl::Span<char> image, BlockNumber block, bool free);

// The lowest free block in [from, limit) that the bitmap standing at block `bitmap` covers; 0:
// none.
BlockNumber FindFree(absl::Span<const char> image, BlockNumber bitmap, BlockNumber from,
                     BlockNumber limit);

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_BITMAP_H_
