// The programs of deploy/examples do what the README says of them.
#include "gmock/gmock.h"
#include "tests/support/process_fixture.h"

namespace quire {
namespace {

class ExampleTest : public ClusterTest {};

TEST_F(ExampleTest, PositionsAndLocks) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(2));
  ASSERT_EQ(FupScript("SET TYPE K\nSET REC 240\nSET KEYLEN 8\nSET EXT ( 100 PAGES, 200 PAGES )\n"
                      "SET PART ( 1, $DATA02, 100, 200, \"P5\" )\nCREATE $DATA01.STOCK.PARTS\n")
                .exit_code,
            0);
  const CommandResult run = Run("positions_and_locks", {router_address()});
  EXPECT_EQ(run.exit_code, 0) << run.output;
  for (const char* line :
       {"first of P1: P1000001bolt    40\n", "next: P1000002nut     25\n",
        "behind the last of P1: error 1 (", "current record, as saved: P1000001bolt    40\n",
        "last of the file: P6000001washer  90\n", "the one before: P1000002nut     25\n",
        "take 15: ok\n", "left: P1000001bolt    25\n", "lock: ok\n", "another's write: error 73\n",
        "another's read: P1000001bolt    25\n", "its warning: 9\n", "unlock: ok\n",
        "close: ok\n"}) {
    EXPECT_THAT(run.output, testing::HasSubstr(line));
  }
}

}  // namespace
}  // namespace quire
