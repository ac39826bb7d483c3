// The arithmetic of splits: which items go into which block. Pure functions on costs (bytes an item
// takes, its slot included), so that the rules can be tested on their own.
//
// Data blocks (DESIGN §5.1, R-B3):
//   - insert after the last record of a full block: only the new record goes to the new block;
//   - anywhere else, and for an update that outgrows its block: the larger half by bytes, the new
//     record counted, stays left; ties to the left;
//   - where neither half takes the record it gets a block of its own: two splits.
// Index blocks: the left half is the longest run of entries of at most half the bytes.
#ifndef QUIRE_SERVER_BTREE_SPLIT_H_
#define QUIRE_SERVER_BTREE_SPLIT_H_

#include <array>
#include <cstdint>
#include <string_view>

#include "absl/types/span.h"

namespace quire {

// Items [begin(i), begin(i + 1)) go into piece i; piece 0 stays in the old block. At most two
// items are added at a time, so there are never more than three pieces.
struct Division {
  uint32_t pieces = 1;
  std::array<uint32_t, 4> bounds{};  // bounds[0] = 0, bounds[pieces] = number of items

  uint32_t begin(uint32_t piece) const { return bounds[piece]; }
  uint32_t end(uint32_t piece) const { return bounds[piece + 1]; }
};

// `costs` are those of all records in order, the new one (number `added`) included; together they
// are more than `capacity`, without the new one they are not, and no single one is.
Division DivideRecords(absl::Span<const uint32_t> costs, uint32_t added, uint32_t capacity);

// `costs` are those of all entries in order, the new ones (numbers `added` and, with added_count 2,
// `added` + 1) included; none is more than a third of `capacity` (R-B2). They are put in one after
// the other, each splitting its block when it does not fit; one piece when all fit.
Division DivideEntries(absl::Span<const uint32_t> costs, uint32_t added, uint32_t added_count,
                       uint32_t capacity);

// What an index keeps of the first key of a block: one byte more than it has in common with the
// last key of the block before. `left` < `right`.
std::string_view SeparatorOf(std::string_view left, std::string_view right);

}  // namespace quire

#endif  // QUIRE_SERVER_BTREE_SPLIT_H_
