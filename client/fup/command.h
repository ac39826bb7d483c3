// What a FUP command is: parsed once, run in a session.
#ifndef QUIRE_CLIENT_FUP_COMMAND_H_
#define QUIRE_CLIENT_FUP_COMMAND_H_

#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/fup/token_cursor.h"

namespace quire {

class FupSession;

// Holds everything its text said. Names are kept as written: what they mean depends on the
// session's defaults when the command runs.
class FupCommand {
 public:
  virtual ~FupCommand() = default;
  // An error returned is reported by the caller; a command over many files reports the errors of
  // single files to the session itself and returns OK.
  virtual absl::Status Run(FupSession& session) const = 0;
};

// A verb: what HELP shows and what makes commands out of text. `parse` gets the cursor after the
// verb and must use up all of it. No parser: the command is not built yet.
struct CommandSpec {
  std::string_view verb;     // upper case
  std::string_view summary;  // one line
  std::string_view usage;    // lines; empty for commands not built
  absl::StatusOr<std::unique_ptr<FupCommand>> (*parse)(TokenCursor& cursor) = nullptr;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_COMMAND_H_
