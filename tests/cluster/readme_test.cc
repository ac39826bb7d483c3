// README's first session is true: its shell blocks marked "# tested" run in order, from the
// project's folder, beside the servers that deploy/up.sh started.
#include <signal.h>

#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

std::vector<std::string> TestedBlocks(const std::string& markdown) {
  std::vector<std::string> blocks;
  std::istringstream lines(markdown);
  bool inside = false;
  std::string block;
  for (std::string line; std::getline(lines, line);) {
    if (inside && line.starts_with("```")) {
      if (block.starts_with("# tested\n")) blocks.push_back(block);
      inside = false;
    } else if (inside) {
      StrAppend(&block, line, "\n");
    } else if (line.starts_with("```")) {
      inside = true;
      block.clear();
    }
  }
  return blocks;
}

TEST(TestedBlocksTest, TakesMarkedBlocksOnly) {
  EXPECT_THAT(TestedBlocks("a\n```sh\n# tested\necho 1\n```\n```\necho 2\n```\n```sh\n# tested\n"
                           "echo 3\n```\n"),
              testing::ElementsAre("# tested\necho 1\n", "# tested\necho 3\n"));
}

class ReadmeTest : public ClusterTest {};

TEST_F(ReadmeTest, FirstSessionWorks) {
  const std::string source = QUIRE_SOURCE_DIR;
  const std::vector<std::string> blocks = TestedBlocks(ReadWholeFile(source + "/README.md"));
  ASSERT_FALSE(blocks.empty());
  const std::string log = folder() + "/up.log";
  ChildProcess up({.arguments = {"/bin/bash", source + "/deploy/up.sh", "3", folder() + "/data"},
                   .environment = {{"QUIRE_BIN", QUIRE_BIN_DIR}},
                   .output_path = log});
  ASSERT_TRUE(WaitUntil([&] {
    return ReadWholeFile(log).find("Ctrl-C stops") != std::string::npos || !up.Running();
  }));
  ASSERT_TRUE(up.Running()) << ReadWholeFile(log);
  const std::string text = ReadWholeFile(log);
  const size_t router = text.find("router    = ");
  ASSERT_NE(router, std::string::npos) << text;
  const std::string address = text.substr(router + 12, text.find('\n', router) - router - 12);

  std::string script;
  for (size_t i = 0; i < blocks.size(); ++i) {
    StrAppend(&script, "echo '== block ", i + 1, "'\n", blocks[i]);
  }
  StrAppend(&script, "echo '== end'\n");
  WriteWholeFile(folder() + "/readme.sh", script);
  const CommandResult session =
      RunCommand({.arguments = {"/bin/bash", "-euo", "pipefail", folder() + "/readme.sh"},
                  .environment = {{"QUIRE_ROUTER", address}},
                  .directory = source},
                 folder());
  EXPECT_EQ(session.exit_code, 0) << session.output;
  EXPECT_THAT(session.output, HasSubstr("CREATED - $DATA01.STOCK.PARTS"));
  EXPECT_THAT(session.output, HasSubstr("== end"));
  up.SignalGroup(SIGINT);
  EXPECT_EQ(up.WaitForExit(), 130);
}

}  // namespace
}  // namespace quire
