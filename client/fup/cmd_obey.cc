#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "client/command/line_source.h"
#include "client/fup/command_table.h"
#include "client/fup/errors.h"
#include "client/fup/interpreter.h"
#include "client/fup/session.h"
#include "quire/text.h"

namespace quire {
namespace {

constexpr int kDeepestObey = 4;

class ObeyCommand : public FupCommand {
 public:
  explicit ObeyCommand(std::string path) : path_(std::move(path)) {}

  absl::Status Run(FupSession& session) const override {
    if (session.obey_depth >= kDeepestObey) return fup_errors::ObeyTooDeep(kDeepestObey);
    std::ifstream file(path_);
    if (!file) return fup_errors::CannotReadFile(path_, std::strerror(errno));
    // A folder opens like a file, and only reading tells.
    if (file.peek() == std::ifstream::traits_type::eof() && !file.eof()) {
      return fup_errors::CannotReadFile(path_, "it is not a file of text");
    }
    file.clear();
    StreamLines lines(file);
    ++session.obey_depth;
    ExecuteLines(session, lines, Echo::kCommands);
    --session.obey_depth;
    session.exit_requested = false;  // EXIT ends the file it stands in
    if (session.options().interactive && session.obey_depth == 0) {
      ReportStop(session);
      session.stopped = false;
    }
    return absl::OkStatus();
  }

 private:
  const std::string path_;
};

// The path is taken as it stands: it may hold characters that mean something elsewhere.
absl::StatusOr<std::unique_ptr<FupCommand>> Parse(TokenCursor& cursor) {
  if (cursor.AtEnd()) return fup_errors::Expected("the path of a file with commands", "the end");
  if (cursor.Peek().kind == TokenKind::kString) {
    std::string path = cursor.Take().text;
    if (absl::Status s = cursor.ExpectEnd(); !s.ok()) return s;
    return std::make_unique<ObeyCommand>(std::move(path));
  }
  return std::make_unique<ObeyCommand>(
      std::string(ToStd(absl::StripAsciiWhitespace(ToAbsl(cursor.Rest())))));
}

constexpr CommandSpec kSpec = {
    "OBEY", "run the commands of a file",
    "OBEY path\n"
    "  A file of this machine, up to 4 nested. Commands are echoed; EXIT ends the file. More "
    "errors\n"
    "  than ALLOW permits end it too. VOLUME and SET changes stay. A path with ; or -- goes in\n"
    "  \"quotes\".\n",
    &Parse};

}  // namespace

const CommandSpec& ObeyCommandSpec() {
  return kSpec;
}

}  // namespace quire
