#include "client/command/errors.h"

#include "quire/error.h"
#include "quire/text.h"

namespace quire {
namespace command_errors {
namespace {

absl::Status Wrong(std::string_view sentence) {
  return MakeError(ErrorNumber::kBadParameter, sentence);
}

}  // namespace

absl::Status CommandTooLong(size_t bytes, size_t limit_bytes) {
  return MakeError(ErrorNumber::kIllegalCount,
                   StrCat("The command has ", bytes, " characters; at most ", limit_bytes,
                          " are taken. Split it into several SET commands."));
}

absl::Status UnknownWord(std::string_view kind, std::string_view word, std::string_view nearest) {
  const std::string hint = nearest.empty()
                               ? std::string("HELP lists what there is.")
                               : StrCat("The nearest is ", nearest, "; HELP lists what there is.");
  return Wrong(StrCat("Unknown ", kind, " \"", word, "\". ", hint));
}

absl::Status AmbiguousWord(std::string_view kind, std::string_view word,
                           const std::vector<std::string_view>& candidates) {
  std::string names;
  for (std::string_view candidate : candidates) {
    StrAppend(&names, names.empty() ? "" : ", ", candidate);
  }
  return Wrong(StrCat("The ", kind, " \"", word, "\" can mean ", names, "; write more of it."));
}

}  // namespace command_errors
}  // namespace quire
