#include "client/bench/peers/results.h"

#include <algorithm>

namespace quire {
namespace bench {

void Results::Add(const std::string& row, const Figures& figures) {
  for (const auto& [measure, value] : figures) values_[{row, measure}].push_back(value);
}

void Results::Drop(const std::string& row, Work work) {
  const std::string name(NameOf(work));
  for (const std::string& measure :
       {name, name + kReplySuffix, name + kBytesSuffix, name + kMemorySuffix}) {
    values_.erase({row, measure});
  }
}

const std::vector<double>* Results::Values(std::string_view row, std::string_view measure) const {
  const auto found = values_.find({std::string(row), std::string(measure)});
  return found == values_.end() ? nullptr : &found->second;
}

std::optional<Spread> Results::Of(std::string_view row, std::string_view measure) const {
  const std::vector<double>* const values = Values(row, measure);
  if (values == nullptr) return std::nullopt;
  return SpreadOf(*values);
}

std::optional<Spread> Results::Ratio(std::string_view row, std::string_view measure,
                                     std::string_view other_row,
                                     std::string_view other_measure) const {
  const std::vector<double>* const first = Values(row, measure);
  const std::vector<double>* const second = Values(other_row, other_measure);
  if (first == nullptr || second == nullptr || first->size() != second->size() ||
      std::count(second->begin(), second->end(), 0.0) > 0) {
    return std::nullopt;
  }
  return RatioSpread(*first, *second);
}

std::optional<std::string> Results::Best(const std::vector<std::string>& rows,
                                         std::string_view measure) const {
  std::optional<std::string> best;
  double highest = 0;
  for (const std::string& row : rows) {
    const std::optional<Spread> spread = Of(row, measure);
    if (!spread.has_value() || (best.has_value() && spread->median <= highest)) continue;
    best = row;
    highest = spread->median;
  }
  return best;
}

}  // namespace bench
}  // namespace quire
