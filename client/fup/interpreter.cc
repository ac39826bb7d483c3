#include "client/fup/interpreter.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/command/command_reader.h"
#include "client/fup/parse_command.h"

namespace quire {
namespace {

constexpr char kPrompt[] = "-";

// Whether the source must not be read any further; `before` is the trouble there was at its start.
bool MustStop(FupSession& session, const TroubleCount& before) {
  if (session.exit_requested || session.stopped) return true;
  if (session.options().interactive && session.obey_depth == 0) return false;
  session.stopped = Exceeds(session.trouble(), before, session.allowance);
  return session.stopped;
}

// Runs what one line completed; false as MustStop.
bool ExecuteAll(FupSession& session, const std::vector<std::string>& commands, Echo echo,
                const TroubleCount& before) {
  for (const std::string& command : commands) {
    if (echo == Echo::kCommands) session.output() << kPrompt << command << "\n";
    ExecuteCommand(session, command);
    if (MustStop(session, before)) return false;
  }
  return true;
}

}  // namespace

void ExecuteCommand(FupSession& session, std::string_view text) {
  absl::StatusOr<std::unique_ptr<FupCommand>> command = ParseCommand(text);
  if (!text.empty() && text.front() != '!' && text.front() != '?') {
    session.history.Add(std::string(text));
  }
  if (!command.ok()) return session.ReportError(command.status());
  if (*command == nullptr) return;
  if (absl::Status s = (*command)->Run(session); !s.ok()) session.ReportError(s);
  session.output().flush();
}

void ExecuteLines(FupSession& session, LineSource& lines, Echo echo) {
  const TroubleCount before = session.trouble();
  CommandReader reader;
  while (std::optional<std::string> line = lines.Next(kPrompt)) {
    absl::StatusOr<std::vector<std::string>> commands = reader.AddLine(*line);
    if (commands.ok()) {
      if (!ExecuteAll(session, *commands, echo, before)) return;
    } else {
      session.ReportError(commands.status());
      if (MustStop(session, before)) return;
    }
  }
  ExecuteAll(session, reader.Finish(), echo, before);
}

void ReportStop(FupSession& session) {
  if (!session.stopped) return;
  session.output() << "FUP STOPPED: MORE ERRORS THAN ALLOW PERMITS; THE REST WAS NOT READ\n";
}

}  // namespace quire
