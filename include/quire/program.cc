#include "quire/program.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/reflection.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "quire/text.h"
#include "absl/strings/str_split.h"

ABSL_FLAG(std::string, config, "",
          "file with lines \"name = value\", one option a line, \"#\" starts a comment");

namespace quire {
namespace {

using FlagMap = std::map<std::string, absl::CommandLineFlag*>;

// Quire's own options: those defined outside Abseil's library sources.
FlagMap OwnFlags() {
  FlagMap own;
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    if (!absl::StrContains(flag->Filename(), "absl/")) own.emplace(name, flag);
  }
  return own;
}

void PrintHelp(const ProgramText& text) {
  std::cout << text.name << " " << text.version << "\n\n" << text.usage << "\n\nOptions:\n";
  for (const auto& [name, flag] : OwnFlags()) {
    std::cout << "  --" << name << "  (default: " << flag->DefaultValue() << ")\n      "
              << flag->Help() << "\n";
  }
  std::cout << "  --help, --version\n\nEvery option can also be set in the --config file and as "
               "QUIRE_<NAME> in the environment.\n";
}

std::optional<std::string> Set(const FlagMap& flags, const std::string& name,
                               const std::string& value, std::string_view where) {
  const auto found = flags.find(name);
  if (found == flags.end()) return StrCat(where, ": no option \"", name, "\"; see --help");
  std::string error;
  if (found->second->ParseFrom(value, &error)) return std::nullopt;
  return StrCat(where, ": option ", name, ": ", error);
}

std::optional<std::string> ReadConfig(const FlagMap& flags, const std::string& path) {
  std::ifstream file(path);
  if (!file) return StrCat("cannot read the config file ", path);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = std::string(absl::StripAsciiWhitespace(line.substr(0, line.find('#'))));
    if (line.empty()) continue;
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits('=', 1));
    const std::string where = StrCat(path, ":", number);
    if (parts.size() != 2) return StrCat(where, ": expected \"name = value\"");
    if (auto error = Set(flags, std::string(absl::StripAsciiWhitespace(parts[0])),
                         std::string(absl::StripAsciiWhitespace(parts[1])), where)) {
      return error;
    }
  }
  return std::nullopt;
}

std::optional<std::string> ReadEnvironment(const FlagMap& flags) {
  for (const auto& [name, flag] : flags) {
    const std::string variable = StrCat("QUIRE_", absl::AsciiStrToUpper(name));
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr || name == "config") continue;
    if (auto error = Set(flags, name, value, StrCat("environment ", variable))) return error;
  }
  return std::nullopt;
}

// --config must be known before the rest is parsed, so that the command line wins over the file.
std::string ConfigPath(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") break;
    if (argument == "--config" && i + 1 < argc) return argv[i + 1];
    if (argument.starts_with("--config=")) return std::string(argument.substr(9));
  }
  const char* variable = std::getenv("QUIRE_CONFIG");
  return variable == nullptr ? "" : variable;
}

bool HasArgument(int argc, char** argv, std::string_view wanted) {
  for (int i = 1; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    if (argv[i] == wanted) return true;
  }
  return false;
}

}  // namespace

ProgramArguments ParseProgram(int argc, char** argv, const ProgramText& text) {
  ProgramArguments arguments;
  if (HasArgument(argc, argv, "--help")) {
    PrintHelp(text);
    arguments.exit_code = 0;
    return arguments;
  }
  if (HasArgument(argc, argv, "--version")) {
    std::cout << text.name << " " << text.version << "\n";
    arguments.exit_code = 0;
    return arguments;
  }
  const FlagMap flags = OwnFlags();
  const std::string config = ConfigPath(argc, argv);
  std::optional<std::string> error;
  if (!config.empty()) error = ReadConfig(flags, config);
  if (!error) error = ReadEnvironment(flags);
  if (error) {
    std::cerr << text.name << ": " << *error << "\n";
    arguments.exit_code = 2;
    return arguments;
  }
  // Abseil ends the process itself on an unknown or malformed option, with exit code 1.
  std::vector<char*> rest = absl::ParseCommandLine(argc, argv);
  for (size_t i = 1; i < rest.size(); ++i) arguments.positional.emplace_back(rest[i]);
  return arguments;
}

}  // namespace quire
