// What every Quire program's command line has in common.
//
// Options are Abseil flags. Their values come, later ones winning, from: the default; a file named
// by --config (lines "name = value", "#" comments); the environment (QUIRE_<NAME IN CAPITALS>);
// the command line. A flag some_name is the option --some-name; --some_name is understood too, in
// the file as well. --help shows every option with its default, --version one line.
#ifndef QUIRE_PROGRAM_H_
#define QUIRE_PROGRAM_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quire {

struct ProgramText {
  std::string name;     // "quire-volume"
  std::string version;  // "0.1.0"
  std::string usage;    // lines between the name and the options
};

// Parses argv. Returns the positional arguments (without the program name), or, when the program
// has nothing more to do, the exit code: 0 after --help and --version, 2 after a bad option (the
// reason is on standard error).
struct ProgramArguments {
  std::vector<std::string> positional;
  std::optional<int> exit_code;
};
ProgramArguments ParseProgram(int argc, char** argv, const ProgramText& text);

}  // namespace quire

#endif  // QUIRE_PROGRAM_H_
