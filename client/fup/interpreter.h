// Runs commands in a session.
#ifndef QUIRE_CLIENT_FUP_INTERPRETER_H_
#define QUIRE_CLIENT_FUP_INTERPRETER_H_

#include <cstdint>
#include <string_view>

#include "client/command/line_source.h"
#include "client/fup/session.h"

namespace quire {

enum class Echo : uint8_t { kNone, kCommands };

// Parses and runs one command (as CommandReader gives it) and reports its error. All but ! and ?
// go into the history.
void ExecuteCommand(FupSession& session, std::string_view text);

// Reads and runs until the source ends, EXIT, or more errors than ALLOW permits; an interactive
// session's own source is never stopped by errors.
void ExecuteLines(FupSession& session, LineSource& lines, Echo echo);

// Says that the rest of the input was not read, if the session was stopped by errors.
void ReportStop(FupSession& session);

}  // namespace quire

#endif  // QUIRE_CLIENT_FUP_INTERPRETER_H_
