#include "server/btree/split.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "server/base/check.h"

namespace quire {
namespace {

uint32_t Sum(absl::Span<const uint32_t> costs) {
  return std::accumulate(costs.begin(), costs.end(), uint32_t{0});
}

Division Whole(uint32_t items) {
  return Division{1, {0, items}};
}
Division Halves(uint32_t middle, uint32_t items) {
  return Division{2, {0, middle, items}};
}

// Number of entries of the longest run from the front that takes at most half the bytes; at least
// one, and at least one is left.
uint32_t HalfOfEntries(absl::Span<const uint32_t> costs) {
  const uint32_t total = Sum(costs);
  uint32_t left = costs[0];
  uint32_t middle = 1;
  while (middle + 1 < costs.size() && 2 * (left + costs[middle]) <= total) left += costs[middle++];
  return middle;
}

}  // namespace

Division DivideRecords(absl::Span<const uint32_t> costs, uint32_t added, uint32_t capacity) {
  const auto items = static_cast<uint32_t>(costs.size());
  const uint32_t total = Sum(costs);
  QUIRE_CHECK(items >= 2 && added < items && total > capacity);
  uint32_t left = costs[0];
  uint32_t middle = 1;
  while (middle + 1 < items && 2 * left < total) left += costs[middle++];
  if (left <= capacity && total - left <= capacity) return Halves(middle, items);
  // The left half is too large with its last record, which goes right if it fits there. If it fits
  // neither way it is the new one: the others fitted into one block.
  --middle;
  left -= costs[middle];
  if (total - left <= capacity) return Halves(middle, items);
  QUIRE_CHECK(middle == added);
  return Division{3, {0, middle, middle + 1, items}};
}

Division DivideEntries(absl::Span<const uint32_t> costs, uint32_t added, uint32_t added_count,
                       uint32_t capacity) {
  const auto items = static_cast<uint32_t>(costs.size());
  QUIRE_CHECK(added_count >= 1 && added_count <= 2 && added + added_count <= items);
  const uint32_t total = Sum(costs);
  if (total <= capacity) return Whole(items);
  if (added_count == 1) return Halves(HalfOfEntries(costs), items);

  // First without the second new entry …
  const uint32_t second = added + 1;
  if (total - costs[second] <= capacity) return Halves(HalfOfEntries(costs), items);
  std::vector<uint32_t> first(costs.begin(), costs.end());
  first.erase(first.begin() + second);
  const uint32_t middle = HalfOfEntries(first);
  // … then the second one into the half that holds the first, right behind it.
  const bool left = added < middle;
  const uint32_t begin = left ? 0 : middle;
  const uint32_t end = left ? middle + 1 : items;
  const absl::Span<const uint32_t> half = costs.subspan(begin, end - begin);
  const uint32_t border = left ? middle + 1 : middle;  // between the halves, second included
  if (Sum(half) <= capacity) return Halves(border, items);
  const uint32_t again = begin + HalfOfEntries(half);
  return Division{3, {0, std::min(border, again), std::max(border, again), items}};
}

std::string_view SeparatorOf(std::string_view left, std::string_view right) {
  const size_t common = static_cast<size_t>(
      std::mismatch(left.begin(), left.end(), right.begin(), right.end()).second - right.begin());
  return right.substr(0, common + 1);
}

}  // namespace quire
