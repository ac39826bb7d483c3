// The clients in other languages at real servers: a router over two volumes, and a single volume.
// Their examples stand in their READMEs and print the same lines in every language, and each has a
// test program of its own in its own language.
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "gmock/gmock.h"
#include "quire/text.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;

struct Language {
  std::string name;               // of the test, and of the code block in the README
  std::string folder;             // under client/
  std::string ending;             // of source files
  std::vector<std::string> run;   // what runs a program
  std::vector<std::string> test;  // what runs a test program
};

void PrintTo(const Language& language, std::ostream* out) {
  *out << language.name;
}

const char kExampleOutput[] =
    "write P2000001 again: error 10 (already-exists), retry NEVER\n"
    "read P2000001washer\n"
    "read P2000002spring\n"
    "read P7000001 elsewhere: error 73 (locked), retry SAFE\n"
    "read P7000001 elsewhere: done\n"
    "P2000001 -> P2000001washer\n"
    "P2000009 -> error 11\n"
    "P7000001 -> P7000001wheel, 26 inch\n"
    "scan P2000002spring\n"
    "scan P7000001wheel, 26 inch\n"
    "read P9999999: error 11 (not-found), retry NEVER\n";

class ClientsTest : public ClusterTest, public testing::WithParamInterface<Language> {
 protected:
  static std::string Source(const std::string& path) { return StrCat(QUIRE_SOURCE_DIR, "/", path); }
  // A path in the folder that the client's generate.sh made ready.
  static std::string Generated(const std::string& path) {
    return StrCat(QUIRE_CLIENTS_DIR, "/", GetParam().folder, "/", path);
  }
  static std::map<std::string, std::string> Environment(const std::string& server) {
    return {{"PYTHONPATH", Generated("")},
            {"PYTHONDONTWRITEBYTECODE", "1"},
            {"QUIRE_NODE_CLIENT", Generated("")},
            {"QUIRE_TEST_SERVER", server}};
  }
  static std::string ExampleName() { return StrCat("example.", GetParam().ending); }

  CommandResult RunProgram(std::vector<std::string> command, const std::string& program,
                           const std::vector<std::string>& arguments, const std::string& server) {
    command.push_back(program);
    command.insert(command.end(), arguments.begin(), arguments.end());
    return RunCommand({.arguments = command, .environment = Environment(server)}, folder());
  }
  void ExampleWorksAt(const std::string& server) {
    const CommandResult run =
        RunProgram(GetParam().run, Generated(ExampleName()), {server}, server);
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.output, kExampleOutput);
  }
  void TestsPassAt(const std::string& server, const std::string& program) {
    const CommandResult run =
        RunProgram(GetParam().test, Source(StrCat("tests/clients/", program)), {}, server);
    EXPECT_EQ(run.exit_code, 0) << run.output;
  }
  // Runs the restart program, and `restart` twice when it has come so far.
  void RestartWhileItWrites(const std::string& server, const std::string& what,
                            absl::FunctionRef<void()> restart) {
    const std::string log = folder() + "/restart.log";
    std::vector<std::string> command = GetParam().run;
    command.push_back(Source(StrCat("tests/clients/", TestProgram("restart"))));
    command.push_back(what);
    command.push_back(folder() + "/restarted");
    ChildProcess program(
        {.arguments = command, .environment = Environment(server), .output_path = log});
    for (const std::string number : {"100", "300"}) {
      const std::string line = StrCat("\n", number, "\n");
      ASSERT_TRUE(WaitUntil([&] {
        return ReadWholeFile(log).find(line) != std::string::npos || !program.Running();
      })) << ReadWholeFile(log);
      restart();
    }
    WriteWholeFile(folder() + "/restarted", "");
    EXPECT_EQ(program.WaitForExit(), 0) << ReadWholeFile(log);
    EXPECT_THAT(ReadWholeFile(log), testing::EndsWith("\ndone\n"));
  }
  static std::string TestProgram(const std::string& what) {
    return StrCat(GetParam().folder, "_", what, "_test.", GetParam().ending);
  }
};

TEST_P(ClientsTest, ReadmeShowsTheExampleWordForWord) {
  const std::string folder = StrCat("client/", GetParam().folder, "/");
  const std::string example = ReadWholeFile(Source(folder + ExampleName()));
  ASSERT_FALSE(example.empty());
  EXPECT_THAT(ReadWholeFile(Source(folder + "README.md")),
              HasSubstr(StrCat("```", GetParam().name, "\n", example, "```\n")));
}

TEST_P(ClientsTest, ExampleAtARouter) {
  StartCluster(2);
  ExampleWorksAt(router_address());
}

TEST_P(ClientsTest, ExampleAtAVolume) {
  StartVolume(1);
  ExampleWorksAt(volume_address(1));
}

TEST_P(ClientsTest, TestsAtARouter) {
  StartCluster(2);
  TestsPassAt(router_address(), TestProgram("client"));
}

TEST_P(ClientsTest, TestsAtAVolume) {
  StartVolume(1);
  TestsPassAt(volume_address(1), TestProgram("client"));
}

// Every change is done once and every lock kept over kills of the router.
TEST_P(ClientsTest, RouterRestarts) {
  StartCluster(2);
  RestartWhileItWrites(router_address(), "router", [this] {
    router().Kill();
    StartRouter();
  });
}

// Nothing acknowledged is lost; who held a lock there gets 60.
TEST_P(ClientsTest, VolumeRestarts) {
  StartVolume(1);
  RestartWhileItWrites(volume_address(1), "volume", [this] {
    volume(1).Kill();
    StartVolume(1);
  });
}

// Without a server: the test program plays one.
TEST_P(ClientsTest, LossesByScript) {
  TestsPassAt("", TestProgram("session"));
}

const Language kPython = {.name = "python",
                          .folder = "python",
                          .ending = "py",
                          .run = {"/usr/bin/python3"},
                          .test = {"/usr/bin/python3"}};
const Language kNode = {.name = "js",
                        .folder = "node",
                        .ending = "js",
                        .run = {QUIRE_NODE},
                        .test = {QUIRE_NODE, "--test"}};

INSTANTIATE_TEST_SUITE_P(Python, ClientsTest, testing::Values(kPython));
INSTANTIATE_TEST_SUITE_P(Node, ClientsTest, testing::Values(kNode));

// Anybody's npm is set up for its own registry; the lock file must not send it to another.
TEST(NodePackagesTest, LockFileNamesNoHost) {
  const std::string text =
      ReadWholeFile(StrCat(QUIRE_SOURCE_DIR, "/client/node/package-lock.json"));
  EXPECT_THAT(text, HasSubstr("node_modules/@grpc/grpc-js"));
  EXPECT_THAT(text, HasSubstr("\"integrity\": \"sha512-"));
  EXPECT_THAT(text, testing::Not(HasSubstr("://")));
  EXPECT_THAT(text, testing::Not(HasSubstr("\"resolved\"")));
}

}  // namespace
}  // namespace quire
