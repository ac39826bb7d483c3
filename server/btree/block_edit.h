// Changes the items of a data or index block image in place. The image must have passed
// BlockView::Validate, and what is put in must fit; bytes that become free are zeroed.
#ifndef QUIRE_SERVER_BTREE_BLOCK_EDIT_H_
#define QUIRE_SERVER_BTREE_BLOCK_EDIT_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "server/base/ids.h"

namespace quire {

// The bytes of an index entry: kept key bytes, then the child.
std::string EncodeEntry(std::string_view separator, BlockNumber child);

// Puts an item before item `slot` (slot = count: at the end).
void InsertItem(absl::Span<char> image, uint32_t slot, std::string_view item);
void ReplaceItem(absl::Span<char> image, uint32_t slot, std::string_view item);
void RemoveItem(absl::Span<char> image, uint32_t slot);
// Replaces all items. `items` must not point into `image`.
void WriteItems(absl::Span<char> image, absl::Span<const std::string_view> items);

void SetPrevious(absl::Span<char> image, BlockNumber block);
void SetNext(absl::Span<char> image, BlockNumber block);

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_BLOCK_EDIT_H_
