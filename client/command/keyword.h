// Keywords and their abbreviations: any letter case, as few letters as make the word unique.
#ifndef QUIRE_CLIENT_COMMAND_KEYWORD_H_
#define QUIRE_CLIENT_COMMAND_KEYWORD_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace quire {

// Index in `words` (upper case) of the one that `word` is, or is the beginning of; a full word
// wins over longer ones that begin with it. Errors, with `kind` ("command", "attribute") in the
// sentence: 22 unknown, naming the nearest word; 22 ambiguous, naming the candidates.
absl::StatusOr<size_t> FindKeyword(std::string_view kind, std::string_view word,
                                   absl::Span<const std::string_view> words);

// The word with the fewest letters to change, add, drop or swap, if that is at most a third of the
// longer one; of equals the first.
std::optional<std::string_view> NearestWord(std::string_view word,
                                            absl::Span<const std::string_view> words);

}  // namespace quire

#endif  // QUIRE_CLIENT_COMMAND_KEYWORD_H_
