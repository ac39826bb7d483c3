// CHECK over volumes.
#include "client/filesystem/check_file.h"

#include "tests/unit/filesystem/cluster.h"

namespace quire::testing {
namespace {

TEST(CheckFile, EveryPartitionInOrderAnd66ForThoseNotReached) {
  for (const bool threads : {false, true}) {
    Cluster cluster(3);
    if (threads) cluster.UseThreads();
    cluster.CreateParts();
    auto checks = cluster.files().Check(PartsName());
    ASSERT_TRUE(checks.ok()) << checks.status();
    ASSERT_EQ(checks->size(), 3u);
    for (uint32_t i = 0; i < 3; ++i) {
      EXPECT_EQ((*checks)[i].file.volume, StrCat("$DATA0", i + 1));
      EXPECT_EQ((*checks)[i].status, absl::OkStatus());
      EXPECT_EQ((*checks)[i].lsn, 5u);
    }
    cluster.volume(2).SetDown(true);
    checks = cluster.files().Check(PartsName());
    ASSERT_TRUE(checks.ok()) << checks.status();
    EXPECT_EQ(Number((*checks)[0].status), 0);
    EXPECT_EQ(Number((*checks)[1].status), 66);
    EXPECT_EQ((*checks)[1].file.volume, "$DATA02");
    EXPECT_EQ((*checks)[1].partition, 1u);
    EXPECT_EQ(Number((*checks)[2].status), 0);
  }
}

TEST(CheckFile, ErrorsOfTheWholeFile) {
  Cluster cluster(2);
  EXPECT_EQ(Number(cluster.files().Check(PartsName())), 11);
  EXPECT_EQ(Number(cluster.files().Check({"", "$NONE", "SHOP", "PARTS"})), 14);
  cluster.CreateParts();
  cluster.volume(1).SetDown(true);
  EXPECT_EQ(Number(cluster.files().Check(PartsName())), 66);
}

}  // namespace
}  // namespace quire::testing
