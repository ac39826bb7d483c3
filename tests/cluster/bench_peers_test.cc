// quire-bench peers, small: every store this tree was built with, and every work.
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "nlohmann/json.hpp"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

using testing::HasSubstr;
using testing::Not;

class BenchPeersTest : public ClusterTest {
 protected:
  CommandResult Peers(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"peers", "--peers_records=300", "--peers_operations=100",
                                          "--peers_rounds=1", "--directory=" + folder()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run("quire-bench", arguments);
  }
};

TEST_F(BenchPeersTest, QuireDoesEveryWorkByEveryWay) {
  const std::string json = folder() + "/peers.json";
  const std::string html = folder() + "/peers.html";
  const CommandResult run =
      Peers({"--peers_stores=quire,limit", "--json=" + json, "--html=" + html});
  ASSERT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, Not(HasSubstr("its process")));  // what failed is named so
  const std::string page = ReadWholeFile(json);
  ASSERT_TRUE(nlohmann::json::accept(page)) << page;
  for (const char* word : {"quire embedded", "quire session", "quire unary", "quire load",
                           "limit: append, direct", "limit: grpc unary echo", "YCSB F"}) {
    EXPECT_THAT(page, HasSubstr(word));
  }
  EXPECT_THAT(ReadWholeFile(html), HasSubstr("<html"));
}

TEST_F(BenchPeersTest, EveryOtherStoreOfThisBuildDoesEveryWork) {
  const CommandResult run =
      Peers({"--peers_stores=lmdb,rocksdb,leveldb,wiredtiger,berkeley,sqlite"});
  ASSERT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, Not(HasSubstr("its process")));
  EXPECT_THAT(run.output, HasSubstr("YCSB F"));
}

TEST_F(BenchPeersTest, RunsThePartThatIsAskedFor) {
  const CommandResult run = Peers({"--peers_stores=lmdb", "--peers_work=scan"});
  ASSERT_EQ(run.exit_code, 0) << run.output;
  EXPECT_THAT(run.output, HasSubstr("Ordered scan, "));
  EXPECT_THAT(run.output, Not(HasSubstr("Point reads, ")));
  EXPECT_THAT(run.output, Not(HasSubstr("quire embedded  ")));
}

TEST_F(BenchPeersTest, RefusesWhatIsNotThere) {
  for (const char* option : {"--peers_work=leisure", "--peers_stores=oracle", "--peers_rounds=0",
                             "--peers_records=1", "--peers_operations=0"}) {
    const CommandResult run = Peers({option});
    EXPECT_EQ(run.exit_code, 3) << option;
    EXPECT_THAT(run.output, HasSubstr("22")) << option;
  }
}

}  // namespace
}  // namespace quire
