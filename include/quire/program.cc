#include "quire/program.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "quire/text.h"

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

// Options are written with dashes, Abseil's flags with underscores; both are understood.
std::string Spelled(const std::string& name) {
  return absl::StrReplaceAll(name, {{"_", "-"}});
}
std::string FlagName(std::string_view option) {
  return absl::StrReplaceAll(ToAbsl(option), {{"-", "_"}});
}

void PrintHelp(const ProgramText& text) {
  std::cout << text.name << " " << text.version << "\n\n" << text.usage << "\n\nOptions:\n";
  for (const auto& [name, flag] : OwnFlags()) {
    std::cout << "  --" << Spelled(name) << "  (default: " << flag->DefaultValue() << ")\n      "
              << flag->Help() << "\n";
  }
  std::cout << "  --help, --version\n\nEvery option can also be set in the --config file and as "
               "QUIRE_<NAME> in the environment.\n";
}

bool IsSwitch(const FlagMap& flags, const std::string& name) {
  const auto found = flags.find(name);
  return found != flags.end() && found->second->IsOfType<bool>();
}

std::optional<std::string> Set(const FlagMap& flags, const std::string& name,
                               const std::string& value, std::string_view where) {
  const auto found = flags.find(FlagName(name));
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

// Sets the options of the command line and collects everything else: "--name=value",
// "--name value"; for switches "--name" and "--noname"; "--" ends the options.
std::optional<std::string> ReadCommandLine(const FlagMap& flags, int argc, char** argv,
                                           std::vector<std::string>* positional) {
  int next = 1;
  while (next < argc) {
    const std::string_view argument = argv[next++];
    if (argument == "--") break;
    if (argument.size() < 2 || argument.front() != '-') {
      positional->emplace_back(argument);
      continue;
    }
    const std::string_view option = argument.substr(argument.starts_with("--") ? 2 : 1);
    const size_t equals = option.find('=');
    std::string name(option.substr(0, equals));
    std::string value(equals == std::string_view::npos ? "" : option.substr(equals + 1));
    if (equals == std::string_view::npos) {
      const std::string flag = FlagName(name);
      if (IsSwitch(flags, flag)) {
        value = "true";
      } else if (flag.starts_with("no") && IsSwitch(flags, flag.substr(2))) {
        name = flag.substr(2);
        value = "false";
      } else if (flags.contains(flag)) {
        if (next == argc) return StrCat("command line: option ", name, " needs a value");
        value = argv[next++];
      }
    }
    if (auto error = Set(flags, name, value, "command line")) return error;
  }
  for (; next < argc; ++next) positional->emplace_back(argv[next]);
  return std::nullopt;
}

// --config must be known before the rest is parsed, so that the command line wins over the file.
std::string ConfigPath(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") break;
    const std::string_view option = argument.substr(argument.starts_with("--") ? 1 : 0);
    if (option == "-config" && i + 1 < argc) return argv[i + 1];
    if (option.starts_with("-config=")) return std::string(option.substr(8));
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
  if (!error) error = ReadCommandLine(flags, argc, argv, &arguments.positional);
  if (error) {
    std::cerr << text.name << ": " << *error << "\n";
    arguments.exit_code = 2;
    return arguments;
  }
  return arguments;
}

}  // namespace quire
