// Where options come from, and that the samples in deploy/ list all of them (R-A8).
#include <map>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class OptionsTest : public ClusterTest {};

// The name that a volume started so announces.
class AnnouncedName : public ClusterTest {
 protected:
  std::string Start(const std::vector<std::string>& arguments,
                    const std::map<std::string, std::string>& environment) {
    const std::string log = StrCat(folder(), "/announced-", ++starts_);
    ChildOptions options{
        .arguments = {ProgramPath("quire-volume")}, .environment = environment, .output_path = log};
    options.arguments.insert(options.arguments.end(), arguments.begin(), arguments.end());
    ChildProcess server(options);
    WaitUntil([&] {
      return ReadWholeFile(log).find(" listening on ") != std::string::npos || !server.Running();
    });
    // "quire-volume NAME listening on …", behind what recovery had to say.
    const std::string said = ReadWholeFile(log);
    const size_t end = said.find(" listening on ");
    if (end == std::string::npos) return said;
    const size_t begin = said.rfind(' ', end - 1) + 1;
    return said.substr(begin, end - begin);
  }

 private:
  int starts_ = 0;
};

TEST_F(AnnouncedName, CommandLineOverEnvironmentOverFile_R_A8) {
  const std::string config = folder() + "/volume.conf";
  WriteWholeFile(config, StrCat("# a volume\nname = $FILE   # and why\ncapacity = 1GiB\n",
                                "trail_segment = 1MiB\ntrail-limit = 4MiB\n"));
  const auto directory = [&](const std::string& name) {
    return std::vector<std::string>{"--config", config, "--directory", folder() + "/" + name};
  };
  EXPECT_EQ(Start(directory("a"), {}), "$FILE");
  EXPECT_EQ(Start(directory("b"), {{"QUIRE_NAME", "$ENVIR"}}), "$ENVIR");
  std::vector<std::string> line = directory("c");
  line.push_back("--name=$LINE");
  EXPECT_EQ(Start(line, {{"QUIRE_NAME", "$ENVIR"}}), "$LINE");
  EXPECT_EQ(Start({"--directory", folder() + "/d"}, {{"QUIRE_CONFIG", config}}), "$FILE");
}

TEST_F(OptionsTest, WrongValuesNameTheirPlace) {
  const std::string config = folder() + "/volume.conf";
  WriteWholeFile(config, "name = $DATA01\n\ncahce = 1GiB\n");
  EXPECT_THAT(Run("quire-volume", {"--config", config}).output,
              AllOf(HasSubstr("volume.conf:3"), HasSubstr("cahce")));
  WriteWholeFile(config, "name $DATA01\n");
  EXPECT_THAT(Run("quire-volume", {"--config", config}).output, HasSubstr("volume.conf:1"));
  EXPECT_THAT(Run("quire-volume", {}, {{"QUIRE_CACHE", "much"}}).output, HasSubstr("QUIRE_CACHE"));
  EXPECT_THAT(Run("quire-volume", {"--config", folder() + "/none"}).output, HasSubstr("none"));
  EXPECT_THAT(Run("fup", {"--router", "127.0.0.1:1", "INFO $DATA01.S.X"}).output,
              HasSubstr("127.0.0.1:1"));
}

// What a sample must say, from --help: per option its text as a comment and "#name = default".
std::string SampleOf(const std::string& help) {
  std::istringstream lines(help);
  std::string sample;
  std::string setting;
  for (std::string line; std::getline(lines, line);) {
    const size_t open = line.find("  (default: ");
    if (line.starts_with("  --") && open != std::string::npos) {
      const std::string name = line.substr(4, open - 4);
      const std::string value = line.substr(open + 12, line.size() - open - 13);
      // A file named in itself would not be read.
      if (name != "config") setting = StrCat("#", name, " =", value.empty() ? "" : " ", value);
    } else if (!setting.empty() && line.starts_with("      ")) {
      StrAppend(&sample, "\n# ", line.substr(6), "\n", setting, "\n");
      setting.clear();
    }
  }
  return sample;
}

TEST_F(OptionsTest, SamplesListEveryOptionWithItsDefault_R_A8) {
  for (const std::string program : {"quire-volume", "quire-router"}) {
    const std::string expected = SampleOf(Run(program, {"--help"}).output);
    const std::string path = StrCat(QUIRE_SOURCE_DIR, "/deploy/", program, ".conf.sample");
    const std::string sample = ReadWholeFile(path);
    const size_t options = sample.find("\n\n");
    ASSERT_NE(options, std::string::npos) << path;
    EXPECT_EQ(sample.substr(options + 1), expected) << path;
  }
}

}  // namespace
}  // namespace quire
