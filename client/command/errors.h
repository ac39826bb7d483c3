// Errors of reading commands: one function per error, 22, or 21 where a length is out of bounds.
#ifndef QUIRE_CLIENT_COMMAND_ERRORS_H_
#define QUIRE_CLIENT_COMMAND_ERRORS_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace quire {
namespace command_errors {

absl::Status CommandTooLong(size_t bytes, size_t limit_bytes);
// `kind` is "command", "attribute", …; `nearest` is empty when nothing comes near.
absl::Status UnknownWord(std::string_view kind, std::string_view word, std::string_view nearest);
absl::Status AmbiguousWord(std::string_view kind, std::string_view word,
                           const std::vector<std::string_view>& candidates);

}  // namespace command_errors
}  // namespace quire

#endif  // QUIRE_CLIENT_COMMAND_ERRORS_H_
