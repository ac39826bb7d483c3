// Every case runs in a child process of its own: flags are global.
#include "quire/program.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "absl/flags/flag.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "tests/support/test_directory.h"

ABSL_FLAG(int, probe_count, 1, "a number");
ABSL_FLAG(bool, probe_switch, false, "a switch");
ABSL_FLAG(std::string, probe_text, "default text", "a text");

namespace quire {
namespace {

using testing::ExitedWithCode;

// Ends the process: with the exit code that ParseProgram wants, or with 0 after writing what it
// found to standard error.
[[noreturn]] void RunProbe(std::vector<std::string> arguments) {
  std::cout.rdbuf(std::cerr.rdbuf());  // death tests look at standard error only
  arguments.insert(arguments.begin(), "probe");
  std::vector<char*> argv;
  argv.reserve(arguments.size());
  for (std::string& argument : arguments) argv.push_back(argument.data());
  const ProgramArguments parsed =
      ParseProgram(static_cast<int>(argv.size()), argv.data(), {"probe", "1.2.3", "usage line"});
  if (parsed.exit_code) std::_Exit(*parsed.exit_code);
  std::cerr << "count=" << absl::GetFlag(FLAGS_probe_count)
            << " switch=" << absl::GetFlag(FLAGS_probe_switch)
            << " text=" << absl::GetFlag(FLAGS_probe_text)
            << " rest=" << absl::StrJoin(parsed.positional, ",") << ";" << std::endl;
  std::_Exit(0);
}

class ProgramTest : public testing::Test {
 protected:
  std::string Config(const std::string& text) {
    const std::string path = directory_.path() + "/config";
    std::ofstream(path) << text;
    return path;
  }
  TestDirectory directory_;
};
using ProgramDeathTest = ProgramTest;

TEST_F(ProgramDeathTest, DefaultsStandWhenNothingIsGiven) {
  EXPECT_EXIT(RunProbe({}), ExitedWithCode(0), "count=1 switch=0 text=default text rest=;");
}

TEST_F(ProgramDeathTest, CommandLineForms) {
  EXPECT_EXIT(RunProbe({"--probe_count=7", "INFO", "--probe-switch", "--probe-text", "a=b", "*"}),
              ExitedWithCode(0), "count=7 switch=1 text=a=b rest=INFO,\\*;");
  EXPECT_EXIT(RunProbe({"--probe_switch", "--noprobe_switch", "--", "--probe_count=9", "-"}),
              ExitedWithCode(0), "count=1 switch=0 text=default text rest=--probe_count=9,-;");
  EXPECT_EXIT(RunProbe({"--probe_switch=false", "--probe-text="}), ExitedWithCode(0),
              "switch=0 text= rest=;");
}

TEST_F(ProgramDeathTest, LaterSourcesWin) {  // R-A8
  const std::string config = Config(
      "# a comment\n"
      "probe_count = 2   # another\n"
      "\n"
      "  probe-text = from file = yes\n");
  EXPECT_EXIT(RunProbe({"--config", config}), ExitedWithCode(0),
              "count=2 .*text=from file = yes rest");
  EXPECT_EXIT(
      {
        setenv("QUIRE_PROBE_COUNT", "3", 1);
        RunProbe({"--config=" + config});
      },
      ExitedWithCode(0), "count=3 .*text=from file = yes rest");
  EXPECT_EXIT(
      {
        setenv("QUIRE_PROBE_COUNT", "3", 1);
        RunProbe({"--probe_count=4", "--config=" + config});
      },
      ExitedWithCode(0), "count=4 .*text=from file = yes rest");
  EXPECT_EXIT(
      {
        setenv("QUIRE_CONFIG", config.c_str(), 1);
        RunProbe({});
      },
      ExitedWithCode(0), "count=2");
}

TEST_F(ProgramDeathTest, BadOptionsEndWith2AndTheReason) {
  EXPECT_EXIT(RunProbe({"--no-such=1"}), ExitedWithCode(2), "no option \"no-such\"; see --help");
  EXPECT_EXIT(RunProbe({"-x"}), ExitedWithCode(2), "no option \"x\"");
  EXPECT_EXIT(RunProbe({"--probe_count=many"}), ExitedWithCode(2), "probe_count: Illegal value");
  EXPECT_EXIT(RunProbe({"--probe-text"}), ExitedWithCode(2), "probe-text needs a value");
  EXPECT_EXIT(
      {
        setenv("QUIRE_PROBE_COUNT", "many", 1);
        RunProbe({});
      },
      ExitedWithCode(2), "environment QUIRE_PROBE_COUNT");
}

TEST_F(ProgramDeathTest, BadConfigFilesEndWith2AndNameTheLine) {
  EXPECT_EXIT(RunProbe({"--config=" + Config("probe_count = 2\nprobe_text\n")}), ExitedWithCode(2),
              "config:2: expected \"name = value\"");
  EXPECT_EXIT(RunProbe({"--config=" + Config("no_such = 2\n")}), ExitedWithCode(2),
              "config:1: no option \"no_such\"");
  EXPECT_EXIT(RunProbe({"--config=" + directory_.path() + "/missing"}), ExitedWithCode(2),
              "cannot read the config file");
}

TEST_F(ProgramDeathTest, HelpAndVersionEndWith0) {  // R-A8
  EXPECT_EXIT(RunProbe({"--version"}), ExitedWithCode(0), "^probe 1.2.3\n$");
  EXPECT_EXIT(RunProbe({"--help"}), ExitedWithCode(0), "usage line");
  EXPECT_EXIT(RunProbe({"--help"}), ExitedWithCode(0),
              "--probe-count  \\(default: 1\\)\n      a number");
  EXPECT_EXIT(RunProbe({"--", "--help"}), ExitedWithCode(0), "rest=--help;");
}

}  // namespace
}  // namespace quire
