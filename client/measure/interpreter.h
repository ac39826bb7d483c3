// Runs commands in a session.
#ifndef QUIRE_CLIENT_MEASURE_INTERPRETER_H_
#define QUIRE_CLIENT_MEASURE_INTERPRETER_H_

#include <string_view>

#include "client/command/line_source.h"
#include "client/measure/session.h"

namespace quire {
namespace measure {

// Parses and runs one command and reports its error.
void ExecuteCommand(MeasureSession& session, std::string_view text);

// Reads and runs until the source ends or EXIT. The prompt is the number of the next line and "+ ".
// Commands only read, so an error ends no more than its command, in scripts too.
void ExecuteLines(MeasureSession& session, LineSource& lines);

}  // namespace measure
}  // namespace quire

#endif  // QUIRE_CLIENT_MEASURE_INTERPRETER_H_
