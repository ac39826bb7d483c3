#include "client/command/keyword.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "client/command/errors.h"
#include "quire/text.h"

namespace quire {
namespace {

// Longer words are not compared: no keyword is near them, and the table would grow with the input.
constexpr size_t kLongestCompared = 32;

// Optimal string alignment distance.
size_t Distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

absl::StatusOr<size_t> FindKeyword(std::string_view kind, std::string_view word,
                                   absl::Span<const std::string_view> words) {
  const std::string upper = absl::AsciiStrToUpper(ToAbsl(word));
  std::vector<std::string_view> candidates;
  size_t found = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == upper) return i;
    if (!upper.empty() && words[i].starts_with(upper)) {
      candidates.push_back(words[i]);
      found = i;
    }
  }
  if (candidates.size() == 1) return found;
  if (candidates.size() > 1) return command_errors::AmbiguousWord(kind, word, candidates);
  return command_errors::UnknownWord(kind, word, NearestWord(upper, words).value_or(""));
}

std::optional<std::string_view> NearestWord(std::string_view word,
                                            absl::Span<const std::string_view> words) {
  std::optional<std::string_view> nearest;
  if (word.size() > kLongestCompared) return nearest;
  const std::string upper = absl::AsciiStrToUpper(ToAbsl(word));
  size_t least = kLongestCompared;
  for (std::string_view candidate : words) {
    const size_t distance = Distance(upper, candidate);
    const size_t longer = std::max(upper.size(), candidate.size());
    if (distance < least && distance * 3 <= longer) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace quire
