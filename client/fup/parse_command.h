// Text of one command -> FupCommand.
#ifndef QUIRE_CLIENT_FUP_PARSE_COMMAND_H_
#define QUIRE_CLIENT_FUP_PARSE_COMMAND_H_

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "client/fup/command.h"

namespace quire {

// `text` is one command as CommandReader gives it. Null when it says nothing (blank, or "FUP"
// alone). A pasted prompt "-" and a leading word FUP are passed over. A file name followed by a
// comma is taken as ALTER with its verb left out. Errors: 22, 21; 2 for what is not built.
absl::StatusOr<std::unique_ptr<FupCommand>> ParseCommand(std::string_view text);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_PARSE_COMMAND_H_
