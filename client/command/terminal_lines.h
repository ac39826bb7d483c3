// Command lines from a terminal, with line editing and history.
#ifndef QUIRE_CLIENT_COMMAND_TERMINAL_LINES_H_
#define QUIRE_CLIENT_COMMAND_TERMINAL_LINES_H_

#include <memory>
#include <optional>
#include <string>

#include "client/command/line_source.h"

namespace quire {

// Reads standard input, which must be a terminal; one object at a time, one thread.
class TerminalLines : public LineSource {
 public:
  // `program` is the name its key bindings go by in the user's ~/.editrc.
  explicit TerminalLines(const std::string& program);
  ~TerminalLines() override;
  TerminalLines(const TerminalLines&) = delete;
  TerminalLines& operator=(const TerminalLines&) = delete;

  // Lines go into the history of the arrow keys, answers to questions too.
  std::optional<std::string> Next(const std::string& prompt) override;

 private:
  struct Editor;  // keeps the library's names out of here
  std::unique_ptr<Editor> editor_;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_COMMAND_TERMINAL_LINES_H_
