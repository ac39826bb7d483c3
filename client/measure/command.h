// What a MEASCOM command is: parsed once, run in a session.
#ifndef QUIRE_CLIENT_MEASURE_COMMAND_H_
#define QUIRE_CLIENT_MEASURE_COMMAND_H_

#include <memory>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/measure/token_cursor.h"

namespace quire {
namespace measure {

class MeasureSession;

// Holds everything its text said. Names are kept as written: what they mean depends on the
// session's defaults when the command runs.
class MeasureCommand {
 public:
  virtual ~MeasureCommand() = default;
  // The caller reports the error.
  virtual absl::Status Run(MeasureSession& session) const = 0;
};

// A verb: what HELP shows and what makes commands out of text. `parse` gets the cursor after the
// verb and must use up all of it.
struct CommandSpec {
  std::string_view verb;     // upper case
  std::string_view summary;  // one line
  std::string_view usage;    // lines
  absl::StatusOr<std::unique_ptr<MeasureCommand>> (*parse)(TokenCursor& cursor) = nullptr;
};

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_COMMAND_H_
