// fup: administration of Quire's files. Flags and wiring only; see HELP for the commands.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/strings/str_join.h"
#include "client/command/line_source.h"
#include "client/command/terminal_lines.h"
#include "client/filesystem/connect_flags.h"
#include "client/fup/interpreter.h"
#include "client/fup/session.h"
#include "quire/error.h"
#include "quire/program.h"

ABSL_FLAG(bool, json, false,
          "INFO, FILES, LISTOPENS and LISTLOCKS answer in JSON, errors go to standard error");
ABSL_FLAG(std::string, defaults, "",
          "volume and subvolume at start, as the VOLUME command takes them: '$DATA01.MEASURE'");

namespace quire {
namespace {

constexpr int kOk = 0;
constexpr int kCommandFailed = 1;
constexpr int kUsage = 2;

constexpr char kUsageText[] =
    "fup                          commands from the terminal (prompt -) or standard input\n"
    "fup 'INFO $DATA01.X.Y'       one command; single quotes keep the shell away from $ and !\n"
    "\n"
    "fup HELP lists the commands. Exit code: 0, 1 when a command failed, 2 for a wrong option.";

int Run(const ProgramArguments& arguments) {
  absl::StatusOr<NameDefaults> defaults = NameDefaults{};
  if (const std::string text = absl::GetFlag(FLAGS_defaults); !text.empty()) {
    defaults = ParseDefaults(text, {});
    if (!defaults.ok()) {
      std::cerr << "fup: --defaults: " << Describe(defaults.status()) << "\n";
      return kUsage;
    }
  }
  const bool one_command = !arguments.positional.empty();
  FupOptions options;
  options.interactive = !one_command && isatty(STDIN_FILENO) == 1;
  options.json = absl::GetFlag(FLAGS_json);
  options.defaults = *std::move(defaults);

  std::istringstream command(absl::StrJoin(arguments.positional, " "));
  std::unique_ptr<LineSource> lines;
  if (options.interactive) {
    lines = std::make_unique<TerminalLines>("fup");
  } else {
    lines = std::make_unique<StreamLines>(one_command ? command : std::cin);
  }
  FupWorld world;
  world.connect = [] { return ConnectFromFlags("fup"); };
  world.ask = [&lines](const std::string& prompt) { return lines->Next(prompt); };
  world.output = &std::cout;
  world.errors = options.json ? &std::cerr : &std::cout;

  FupSession session(std::move(options), std::move(world));
  ExecuteLines(session, *lines, Echo::kNone);
  if (!one_command) ReportStop(session);
  std::cout.flush();
  return session.trouble().errors > 0 && !session.options().interactive ? kCommandFailed : kOk;
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  const quire::ProgramArguments arguments =
      quire::ParseProgram(argc, argv, {"fup", QUIRE_VERSION, quire::kUsageText});
  if (arguments.exit_code) return *arguments.exit_code;
  return quire::Run(arguments);
}
