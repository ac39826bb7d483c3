// meascom: counters of Quire's volumes, files and opens. Flags and wiring only; see HELP for the
// commands.
#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "client/command/line_source.h"
#include "client/command/terminal_lines.h"
#include "client/filesystem/connect_flags.h"
#include "client/measure/interpreter.h"
#include "client/measure/session.h"
#include "quire/error.h"
#include "quire/program.h"

ABSL_FLAG(std::string, format, "text", "text, csv or json; errors go to standard error");
ABSL_FLAG(std::string, from, "",
          "snapshot at which windows begin; without one, the volumes' start");
ABSL_FLAG(std::string, to, "", "snapshot at which windows end; without one, now");
ABSL_FLAG(std::string, system, "\\QUIRE", "name of the system in reports");
ABSL_FLAG(std::string, defaults, "",
          "volume and subvolume at start, as the VOLUME command takes them: '$DATA01.MEASURE'");

namespace quire {
namespace measure {
namespace {

constexpr int kOk = 0;
constexpr int kCommandFailed = 1;
constexpr int kUsage = 2;

constexpr char kUsageText[] =
    "meascom                             commands from the terminal or standard input\n"
    "meascom 'LIST DISCOPEN $DATA01.*.*' one command; single quotes keep the shell away from $ "
    "and *\n"
    "\n"
    "meascom HELP lists the commands. Exit code: 0, 1 when a command failed, 2 for a wrong option.";

std::optional<OutputFormat> ParseFormat(const std::string& text) {
  const std::string lower = absl::AsciiStrToLower(text);
  if (lower == "text") return OutputFormat::kText;
  if (lower == "csv") return OutputFormat::kCsv;
  if (lower == "json") return OutputFormat::kJson;
  return std::nullopt;
}

// Options as the flags say; empty after telling what is wrong with them.
std::optional<MeasureOptions> OptionsFromFlags() {
  MeasureOptions options;
  const std::optional<OutputFormat> format = ParseFormat(absl::GetFlag(FLAGS_format));
  if (!format) {
    std::cerr << "meascom: --format is text, csv or json\n";
    return std::nullopt;
  }
  options.format = *format;
  if (const std::string text = absl::GetFlag(FLAGS_defaults); !text.empty()) {
    absl::StatusOr<NameDefaults> defaults = ParseDefaults(text, {});
    if (!defaults.ok()) {
      std::cerr << "meascom: --defaults: " << Describe(defaults.status()) << "\n";
      return std::nullopt;
    }
    options.defaults = *std::move(defaults);
  }
  if (std::string path = absl::GetFlag(FLAGS_from); !path.empty()) options.report.from_file = path;
  if (std::string path = absl::GetFlag(FLAGS_to); !path.empty()) options.report.to_file = path;
  options.system = absl::GetFlag(FLAGS_system);
  return options;
}

int Run(const ProgramArguments& arguments) {
  std::optional<MeasureOptions> options = OptionsFromFlags();
  if (!options) return kUsage;
  const bool one_command = !arguments.positional.empty();
  const bool interactive = !one_command && isatty(STDIN_FILENO) == 1;

  std::istringstream command(absl::StrJoin(arguments.positional, " "));
  std::unique_ptr<LineSource> lines;
  if (interactive) {
    lines = std::make_unique<TerminalLines>("meascom");
  } else {
    lines = std::make_unique<StreamLines>(one_command ? command : std::cin);
  }
  MeasureWorld world;
  world.connect = [] { return ConnectFromFlags("meascom"); };
  world.output = &std::cout;
  world.errors = &std::cerr;

  MeasureSession session(*std::move(options), std::move(world));
  ExecuteLines(session, *lines);
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "meascom: standard output could not be written\n";
    return kCommandFailed;
  }
  return session.error_count() > 0 && !interactive ? kCommandFailed : kOk;
}

}  // namespace
}  // namespace measure
}  // namespace quire

int main(int argc, char** argv) {
  const quire::ProgramArguments arguments =
      quire::ParseProgram(argc, argv, {"meascom", QUIRE_VERSION, quire::measure::kUsageText});
  if (arguments.exit_code) return *arguments.exit_code;
  return quire::measure::Run(arguments);
}
