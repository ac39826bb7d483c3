// Makes commands out of lines: takes comments away, joins continued lines, splits at semicolons.
//
//   --  starts a comment, to the next -- of the line or its end (a run of hyphens is one mark)
//   ==  starts a comment, to the end of the line
//   &   at the end of a line continues the command on the next one
//   ;   separates commands
//
// None of these has its meaning inside a "string", and a string ends on the line it began on.
#ifndef QUIRE_CLIENT_COMMAND_COMMAND_READER_H_
#define QUIRE_CLIENT_COMMAND_COMMAND_READER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace quire {

// Longest command, continuations included. FUP had 528; a CREATE with 127 partitions needs more.
inline constexpr size_t kLongestCommandBytes = 16384;

class CommandReader {
 public:
  // The commands the line completes, blank ones left out. Errors: 21 for a command that is too
  // long; it is passed over with all its continuations.
  absl::StatusOr<std::vector<std::string>> AddLine(std::string_view line);
  // What is left at the end of input when the last line asked for a continuation.
  std::vector<std::string> Finish();

  // The next line continues a command.
  bool continues() const { return continues_; }

 private:
  std::string started_;
  bool continues_ = false;
  bool too_long_ = false;
};

}  // namespace quire

#endif  // QUIRE_CLIENT_COMMAND_COMMAND_READER_H_
