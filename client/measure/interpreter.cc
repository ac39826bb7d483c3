#include "client/measure/interpreter.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/command/command_reader.h"
#include "client/measure/parse_command.h"
#include "quire/text.h"

namespace quire {
namespace measure {
namespace {

void ExecuteAll(MeasureSession& session, const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    if (session.exit_requested) return;
    ExecuteCommand(session, command);
  }
}

}  // namespace

void ExecuteCommand(MeasureSession& session, std::string_view text) {
  absl::StatusOr<std::unique_ptr<MeasureCommand>> command = ParseCommand(text);
  if (!command.ok()) return session.ReportError(command.status());
  if (*command == nullptr) return;
  if (absl::Status s = (*command)->Run(session); !s.ok()) session.ReportError(s);
  session.output().flush();
}

void ExecuteLines(MeasureSession& session, LineSource& lines) {
  CommandReader reader;
  uint64_t number = 1;
  while (!session.exit_requested) {
    const std::optional<std::string> line = lines.Next(StrCat(number, "+ "));
    if (!line) break;
    ++number;
    absl::StatusOr<std::vector<std::string>> commands = reader.AddLine(*line);
    if (!commands.ok()) {
      session.ReportError(commands.status());
      continue;
    }
    ExecuteAll(session, *commands);
  }
  ExecuteAll(session, reader.Finish());
}

}  // namespace measure
}  // namespace quire
